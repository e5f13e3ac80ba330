import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import Application from '#app/applications/models/application'
import Broadcast from '#app/broadcasts/models/broadcast'
import type { BroadcastAuthor } from '#app/broadcasts/values/broadcast_request'
import { keepResponse } from '#app/delivery/actions/keep_response'
import { type KeyedRequest, runOncePerKey } from '#app/delivery/actions/run_once_per_key'
import type { KeyClaim } from '#app/delivery/values/key_claim'

/** The response of a request that created a broadcast: nothing about its recipients is kept. */
interface Created {
  broadcastId: number
}

/** Keys count per application and author. @throws ApplicationNotFound */
export async function scopeOfBroadcast(appCode: string, { email }: BroadcastAuthor) {
  const { id } = await Application.withCode(appCode)
  return `broadcast ${id} ${email}`
}

/**
 * Creates a broadcast unless a request with this key has created one, which is then returned as it
 * is now.
 * @param create which keeps the response with `keepCreated`
 * @throws IdempotencyKeyReused, IdempotencyKeyInUse, BroadcastNotFound if it was deleted meanwhile,
 *   and what `create` throws
 */
export async function createOncePerKey(
  keyed: KeyedRequest,
  appCode: string,
  create: (key: KeyClaim) => Promise<Broadcast>
): Promise<Broadcast> {
  let created: Broadcast | null = null
  const work = async (key: KeyClaim): Promise<Created> => {
    created = await create(key)
    return { broadcastId: created.id }
  }
  // It was kept with the broadcast.
  const { broadcastId } = await runOncePerKey(keyed, work, { store: async () => {} })
  return created ?? Broadcast.of(appCode, broadcastId)
}

/** In the transaction that creates it, so that no crash in between can lead to a second one. */
export const keepCreated = (key: KeyClaim, { id }: Broadcast, trx: TransactionClientContract) =>
  keepResponse(key, { broadcastId: id } satisfies Created, trx)
