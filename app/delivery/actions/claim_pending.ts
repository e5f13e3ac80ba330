import { randomUUID } from 'node:crypto'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import PendingSend from '#app/delivery/models/pending_send'
import sendingConfig from '#config/sending'

const { candidates, leaseMs, perAccount } = sendingConfig

export interface Claim {
  /** Mail accounts whose sends are left for later. */
  without: string[]
  most: number
}

/**
 * Claims due sends for the duration of a round, so that no other process takes them: the oldest
 * first, but only a few per account.
 */
export async function claimPending({ without, most }: Claim): Promise<PendingSend[]> {
  // Usually none is due, and on SQLite even an empty claim blocks other writers.
  const found = await duePending()
    .if(without.length > 0, (query) => query.whereNotIn('account', without))
    .orderBy('dueAt')
    .limit(candidates)
    .select('id', 'account')
  const ids = fairShare(found).slice(0, most)
  if (ids.length === 0) return []
  return transaction(async (trx) => {
    const sends = await duePending(trx)
      .whereIn('id', ids)
      .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
    const dueAt = DateTime.utc().plus({ milliseconds: leaseMs })
    for (const send of sends) {
      await send.merge({ claim: randomUUID(), claims: send.claims + 1, dueAt }).save()
    }
    return sends
  })
}

/** Sends whose next round is due and that no process has claimed. */
export function duePending(client?: TransactionClientContract) {
  return PendingSend.query({ client }).where('dueAt', '<=', toDatabase(DateTime.utc()))
}

function fairShare(found: PendingSend[]): number[] {
  const byAccount = Map.groupBy(found, ({ account }) => account)
  const shares = [...byAccount.values()].map((sends) => sends.slice(0, perAccount))
  const places = Array.from({ length: perAccount }, (_, place) => place)
  // Round robin, so that one account cannot take all places.
  return places
    .flatMap((place) => shares.flatMap((share) => share.slice(place, place + 1)))
    .map(({ id }) => id)
}
