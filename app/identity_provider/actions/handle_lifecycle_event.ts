import { followProviderUser } from '#app/identity_provider/actions/follow_provider_user'
import { handleAddressEvent } from '#app/identity_provider/actions/handle_address_event'
import { prepareMappedApplication } from '#app/identity_provider/actions/prepare_mapped_application'
import type { AddressEvent, ProviderUserEvent } from '#app/identity_provider/values/lifecycle_event'
import { learn } from '#app/identity_provider/values/provider_user_facts'

/**
 * Brings user records in line with what happened at the identity provider (specification 3.1), whichever form told of
 * it. Repeated events change nothing more.
 *
 * @returns whether it concerns anybody this service knows
 */
export async function handleLifecycleEvent(
  event: AddressEvent | ProviderUserEvent
): Promise<boolean> {
  if (!('position' in event)) {
    await handleAddressEvent(event)
    return true
  }
  const { records } = await followProviderUser({
    idpUserId: event.userId,
    learn: (facts) => learn(facts, event, event.position),
    also: async (owned, trx) => {
      const created = owned.find(
        ({ email }) => event.type === 'user.created' && email === event.email
      )
      if (created) await prepareMappedApplication(created, event.orgId, trx)
    },
  })
  return records.length > 0
}
