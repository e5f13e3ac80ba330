import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import type PendingSend from '#app/delivery/models/pending_send'
import { duePendingSends } from '#app/delivery/queries/due_pending_sends'
import sendingConfig from '#config/sending'

const { candidates, leaseMs, perAccount } = sendingConfig

export interface ClaimOptions {
  exceptAccounts: string[]
  limit: number
}

/** Claims due sends for the duration of a round: the oldest first, but only a few per account. */
export async function claimPending({
  exceptAccounts,
  limit,
}: ClaimOptions): Promise<PendingSend[]> {
  // Usually none are due, and on SQLite even an empty claim blocks other writers.
  const found = await duePendingSends()
    .if(exceptAccounts.length > 0, (query) => query.whereNotIn('account', exceptAccounts))
    .orderBy('dueAt')
    .limit(candidates)
    .select('id', 'account')
  const ids = fairShare(found).slice(0, limit)
  if (ids.length === 0) return []
  return transaction(async (trx) => {
    const sends = await duePendingSends(trx)
      .whereIn('id', ids)
      .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
    const dueAt = DateTime.utc().plus({ milliseconds: leaseMs })
    for (const send of sends) {
      await send.merge({ claim: randomUUID(), claims: send.claims + 1, dueAt }).save()
    }
    return sends
  })
}

function fairShare(found: PendingSend[]): number[] {
  const byAccount = Map.groupBy(found, ({ account }) => account)
  const shares = [...byAccount.values()].map((sends) => sends.slice(0, perAccount))
  const slots = Array.from({ length: perAccount }, (_, slot) => slot)
  // Round robin, so that one account cannot take all slots.
  return slots
    .flatMap((slot) => shares.flatMap((share) => share.slice(slot, slot + 1)))
    .map(({ id }) => id)
}
