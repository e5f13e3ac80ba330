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
  /** Accounts whose sends are left for later. */
  without: string[]
  most: number
}

/**
 * Takes sends that are due out of everybody else's reach for as long as a round lasts: the oldest
 * first, but few of one account.
 */
export async function claimPending({ without, most }: Claim): Promise<PendingSend[]> {
  // Most of the time there is none, and on SQLite even a claim of nothing would hold up whoever writes.
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
    for (const send of sends) await send.merge({ claim: randomUUID(), dueAt }).save()
    return sends
  })
}

/** Sends whose next round is due and on which nobody works. */
export function duePending(client?: TransactionClientContract) {
  return PendingSend.query({ client }).where('dueAt', '<=', toDatabase(DateTime.utc()))
}

function fairShare(found: PendingSend[]): number[] {
  const byAccount = Map.groupBy(found, ({ account }) => account)
  const shares = [...byAccount.values()].map((sends) => sends.slice(0, perAccount))
  const places = Array.from({ length: perAccount }, (_, place) => place)
  // In turns, so that one account cannot take all places before another is heard.
  return places
    .flatMap((place) => shares.flatMap((share) => share.slice(place, place + 1)))
    .map(({ id }) => id)
}
