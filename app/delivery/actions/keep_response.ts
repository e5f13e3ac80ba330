import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { IdempotencyKeyInUse } from '#app/delivery/exceptions'
import { claimedKey } from '#app/delivery/queries/claim_key'
import type { KeyClaim } from '#app/delivery/values/key_claim'

/**
 * Keeps the response for the key in the transaction of the work.
 * @throws IdempotencyKeyInUse if this took so long that another request has taken the key over
 */
export async function keepResponse(
  key: KeyClaim,
  response: object,
  trx: TransactionClientContract
) {
  const kept: unknown = await claimedKey(key, trx).update({ answer: JSON.stringify(response) })
  if (Number(kept) === 0) throw new IdempotencyKeyInUse({ headers: { 'retry-after': '5' } })
}
