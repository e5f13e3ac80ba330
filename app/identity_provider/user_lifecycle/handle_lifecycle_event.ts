import { withAddressProofs } from '#app/identity_provider/user_lifecycle/address_proof'
import { synchroniseProviderUser } from '#app/identity_provider/user_lifecycle/synchronise_provider_user'
import { handleErasedUser } from '#app/identity_provider/user_lifecycle/handle_erased_user'
import { handleAddressEvent } from '#app/identity_provider/user_lifecycle/handle_address_event'
import { prepareMappedApplication } from '#app/identity_provider/organisations/prepare_mapped_application'
import type {
  AddressEvent,
  ProviderUserEvent,
} from '#app/identity_provider/user_lifecycle/lifecycle_event'
import User from '#app/profiles/models/user'
import { isAcceptedOrganisation } from '#app/profiles/values/account'
import {
  applyEvent,
  isReactivation,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'

/**
 * See identity-provider.md#states-of-a-user-record.
 * @returns false for an unknown user, another account than the record's or another organisation
 */
export async function handleLifecycleEvent(
  event: AddressEvent | ProviderUserEvent
): Promise<boolean> {
  if (event.orgId !== null && !isAcceptedOrganisation(event.orgId)) return false
  if (await handleErasedUser(event)) return false
  if (!('position' in event)) return handleAddressEvent(event)
  if (await isOfAnotherOrganisation(event)) return false
  const { isKnown } = await withAddressProofs(event.userId, (proofOf) =>
    synchroniseProviderUser({
      idpUserId: event.userId,
      updateFacts: (facts) => applyEvent(facts, event, event.position),
      proofOf,
      reactivatedAt: isReactivation(event.type) ? event.position : undefined,
      afterwards: async (owned, trx) => {
        const created = owned.find(
          ({ email }) => event.type === 'user.created' && email === event.email
        )
        if (created) await prepareMappedApplication(created, event.orgId, trx)
      },
    })
  )
  return isKnown
}

async function isOfAnotherOrganisation({ userId, orgId }: ProviderUserEvent) {
  if (orgId === null) return false
  const record = await User.boundTo(User.query(), userId)
    .whereNotNull('idpOrgId')
    .whereNot('idpOrgId', orgId)
    .first()
  return record !== null
}
