import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import type PendingSend from '#app/delivery/models/pending_send'
import { type Exceptions, duePendingRequests } from '#app/delivery/queries/due_pending_sends'
import sendingConfig from '#config/sending'

const { leaseMs, requests, requestsPerRecipient } = sendingConfig

/** How many are claimed together, by how often the first was claimed: one may crash the process. */
const SIZES = [requests, 10, 1]

/** Of the contents that are claimed together, so that others have their turn after large ones. */
const MAX_BYTES = 4 * 1_048_576

const NO_EXCEPTIONS: Exceptions = { accounts: [], recipients: [] }

/** Claims requests that have fallen due, the oldest first, and few for each recipient. */
export async function claimRequests(except = NO_EXCEPTIONS): Promise<PendingSend[]> {
  const { accounts, recipients } = except
  // Usually none are due, and on SQLite even an empty claim blocks other writers.
  const found = await duePendingRequests()
    .if(accounts.length > 0, (query) => query.whereNotIn('account', accounts))
    .if(recipients.length > 0, (query) => query.whereNotIn('recipientId', recipients))
    .orderBy('dueAt')
    .limit(requests)
    .select('id', 'claims', 'recipientId', db.raw('octet_length(content) as bytes'))
  if (found.length === 0) return []
  const alike = fewPerRecipient(found).filter(({ claims }) => claims === found[0].claims)
  const size = SIZES[Math.min(found[0].claims, SIZES.length - 1)]
  const ids = withinBytes(alike.slice(0, size)).map(({ id }) => id)
  return transaction(async (trx) => {
    const rows = await duePendingRequests(trx)
      .whereIn('id', ids)
      .orderBy('id')
      .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
    const dueAt = DateTime.utc().plus({ milliseconds: leaseMs })
    for (const row of rows) {
      await row.merge({ claim: randomUUID(), claims: row.claims + 1, dueAt }).save()
    }
    return rows
  })
}

function fewPerRecipient(due: PendingSend[]): PendingSend[] {
  const groups = Map.groupBy(due, ({ recipientId }) => recipientId)
  const chosen = new Set(
    [...groups.values()].flatMap((some) => some.slice(0, requestsPerRecipient))
  )
  return due.filter((one) => chosen.has(one))
}

/** Of whom more than one was claimed, so that others come first. */
export function recipientsWithSeveral(claimed: PendingSend[]): number[] {
  const groups = Map.groupBy(claimed, ({ recipientId }) => recipientId)
  return [...groups].flatMap(([id, some]) => (some.length > 1 ? [id] : []))
}

/** At least one. */
function withinBytes(due: PendingSend[]): PendingSend[] {
  let bytes = 0
  const end = due.findIndex(({ $extras }) => (bytes += Number($extras.bytes)) > MAX_BYTES)
  return end === -1 ? due : due.slice(0, Math.max(end, 1))
}
