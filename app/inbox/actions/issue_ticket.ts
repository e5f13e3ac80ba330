import { createHash, randomBytes } from 'node:crypto'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { secrets } from '#core/secrets'
import type { Caller } from '#app/auth/values/caller'
import inboxConfig from '#config/inbox'

/** Signed, so that made-up tickets are refused without a query. */
export const TICKET_PURPOSE = 'inbox.stream_ticket'

export const ticketDigest = (ticket: string) => createHash('sha256').update(ticket).digest('hex')

/** A ticket that opens one stream for the caller. Only its digest is stored. */
export async function issueTicket({ email, subject, expiresAt, sessionId }: Caller) {
  const ticket = secrets.sign(randomBytes(24).toString('base64url'), TICKET_PURPOSE)
  const validUntil = DateTime.utc().plus({ milliseconds: inboxConfig.ticketMs })
  await transaction(async (trx) => {
    await trx.table('inbox_stream_tickets').insert({
      digest: ticketDigest(ticket),
      email,
      subject,
      panel_session_id: sessionId ?? null,
      token_expires_at: toDatabaseTimestamp(DateTime.fromMillis(expiresAt, { zone: 'utc' })),
      expires_at: toDatabaseTimestamp(validUntil),
    })
    const newest = trx
      .from('inbox_stream_tickets')
      .where({ email })
      .orderBy('id', 'desc')
      .limit(inboxConfig.ticketsPerUser)
      .select('id')
    const kept: { id: number }[] = await newest
    await trx
      .from('inbox_stream_tickets')
      .where({ email })
      .whereNotIn(
        'id',
        kept.map(({ id }) => id)
      )
      .delete()
  })
  return { ticket, validUntil }
}
