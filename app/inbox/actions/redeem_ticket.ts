import { DateTime } from 'luxon'
import { parseDatabaseTimestamp } from '#core/database/columns'
import { PreparedQuery } from '#core/database/prepared_query'
import { transaction } from '#core/database/transaction'
import { secrets } from '#core/secrets'
import type { Identity } from '#app/auth/values/caller'
import { TICKET_PURPOSE, ticketDigest } from '#app/inbox/actions/issue_ticket'
import { InvalidTicket, UsedTicket } from '#app/inbox/exceptions'

interface TicketRow {
  email: string
  subject: string
  panel_session_id: number | null
  token_expires_at: unknown
  expires_at: unknown
}

/** One statement, so that of several processes only one gets the row. */
const takeTicket = new PreparedQuery<TicketRow>(
  'take_inbox_stream_ticket',
  `delete from inbox_stream_tickets where digest = $1
   returning email, subject, panel_session_id, token_expires_at, expires_at`
)

const MAX_LENGTH = 512

/** Whom a ticket was issued to, with the end of their token. @throws InvalidTicket, UsedTicket */
export async function redeemTicket(ticket: string) {
  if (ticket.length > MAX_LENGTH || secrets.unsign(ticket, TICKET_PURPOSE) === null) {
    throw new InvalidTicket()
  }
  // Not used up by HEAD, which rolls it back.
  const [row] = await transaction((trx) => takeTicket.within(trx, [ticketDigest(ticket)]))
  if (!row || parseDatabaseTimestamp(row.expires_at)! <= DateTime.utc()) throw new UsedTicket()
  const identity: Identity = {
    email: row.email,
    subject: row.subject,
    issuedAt: DateTime.utc(),
    expiresAt: parseDatabaseTimestamp(row.token_expires_at)!.toMillis(),
    names: {},
    organisationId: null,
    token: '',
  }
  return { identity, sessionId: row.panel_session_id ?? undefined }
}
