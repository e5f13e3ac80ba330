import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { Members } from '#app/webhooks/queries/members'
import { type Subscription, subscriptions } from '#app/webhooks/subscriptions'

/** The webhooks that must learn that the user is erased. Call it before anything is deleted. */
export async function findErasureListeners(
  email: string,
  trx: TransactionClientContract
): Promise<Subscription[]> {
  const listening = (await subscriptions.read(trx)).filter(({ events }) =>
    events.has('user.erased')
  )
  const ids = listening.map(({ applicationId }) => applicationId)
  const members = await Members.read([email], [...new Set(ids)], trx)
  return listening.filter(({ applicationId }) => members.has(email, applicationId))
}
