import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import { claimedKey } from '#app/delivery/queries/claim_key'
import { reasonCode } from '#app/delivery/values/delivery_outcome'
import type { KeyClaim } from '#app/delivery/values/key_claim'
import Notification from '#app/notifications/models/notification'
import { isPseudonym } from '#app/profiles/values/pseudonym'

/** The result of one send, or of an item that was refused. */
export interface KeyedResult {
  id: number | null
  statusReason: string | null
}

/**
 * Keeps the response for the key, without texts about users who were erased in the meantime. Locks
 * the entries first, as an erasure does, so that an erasure that follows finds the response.
 */
export async function storeResponse(key: KeyClaim, results: KeyedResult | KeyedResult[]) {
  await transaction(async (trx) => {
    const erased = await findErased([results].flat(), trx)
    const kept = (result: KeyedResult) =>
      result.id !== null && erased.has(result.id)
        ? { ...result, statusReason: reasonCode(result.statusReason) }
        : result
    const response = Array.isArray(results) ? results.map(kept) : kept(results)
    await claimedKey(key, trx).update({ answer: JSON.stringify(response) })
  })
}

async function findErased(results: KeyedResult[], client: TransactionClientContract) {
  const ids = results.flatMap(({ id }) => id ?? [])
  const entries = await Notification.query({ client })
    .whereIn('id', ids)
    .select('id', 'email')
    .orderBy('id')
    .if(usesPostgres(), (query) => query.forShare())
  return new Set(entries.filter(({ email }) => isPseudonym(email)).map(({ id }) => id))
}
