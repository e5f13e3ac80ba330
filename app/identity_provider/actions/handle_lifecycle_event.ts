import { followProviderUser } from '#app/identity_provider/actions/follow_provider_user'
import { handleAddressEvent } from '#app/identity_provider/actions/handle_address_event'
import { prepareMappedApplication } from '#app/identity_provider/actions/prepare_mapped_application'
import type { AddressEvent, ProviderUserEvent } from '#app/identity_provider/values/lifecycle_event'
import User from '#app/profiles/models/user'
import { isAcceptedOrganisation } from '#app/profiles/values/account'
import { learn, saysActive } from '#app/identity_provider/values/provider_user_facts'

/**
 * Brings user records in line with what happened at the identity provider (specification 3.1),
 * whichever form told of it. Repeated events change nothing more.
 *
 * @returns whether it concerns a known person: false for another account with the address of a
 *   bound record, or another organisation than the record's
 */
export async function handleLifecycleEvent(
  event: AddressEvent | ProviderUserEvent
): Promise<boolean> {
  if (event.orgId !== null && !isAcceptedOrganisation(event.orgId)) return false
  if (!('position' in event)) return handleAddressEvent(event)
  if (await isOfAnotherOrganisation(event)) return false
  const { records } = await followProviderUser({
    idpUserId: event.userId,
    learn: (facts) => learn(facts, event, event.position),
    reopensAt: saysActive(event.type) ? event.position : undefined,
    also: async (owned, trx) => {
      const created = owned.find(
        ({ email }) => event.type === 'user.created' && email === event.email
      )
      if (created) await prepareMappedApplication(created, event.orgId, trx)
    },
  })
  return records.length > 0
}

async function isOfAnotherOrganisation({ userId, orgId }: ProviderUserEvent) {
  if (orgId === null) return false
  const record = await User.belongingTo(User.query(), userId)
    .whereNotNull('idpOrgId')
    .whereNot('idpOrgId', orgId)
    .first()
  return record !== null
}
