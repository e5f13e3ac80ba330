import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { isoTimestamp } from '#core/database/columns'
import { applyNames } from '#app/profiles/actions/apply_names'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import type User from '#app/profiles/models/user'
import { prepareMappedApplication } from '#app/identity_provider/actions/prepare_mapped_application'
import { withProviderUser } from '#app/identity_provider/actions/with_provider_user'
import type { AddressEvent } from '#app/identity_provider/values/lifecycle_event'
import { eventPosition } from '#app/identity_provider/values/event_position'

/**
 * An event about an address, in the order of its arrival: its sources keep none (provider contract, 5.2). A person this
 * service has not heard of is recorded first, so that a deactivation is never lost.
 */
export async function handleAddressEvent(event: AddressEvent): Promise<void> {
  await changingAccess(async (trx, changed) => {
    const identity = { email: event.email, idpUserId: event.userId, idpOrgId: event.orgId }
    const user = await ensureUser(identity, undefined, trx)
    // Only an update reports changed names; a profile without any takes them from wherever they come (decisions 2.1).
    if (event.type === 'user.updated' || user.namesChangedAt === null) {
      await applyNames(user, { names: event.names, changedAt: event.occurredAt }, trx)
    }
    switch (event.type) {
      case 'user.created':
        await prepareMappedApplication(user, event.orgId, trx)
        break
      case 'user.reactivated':
        // Said of this address on purpose, so whoever it names has it from now on.
        user.idpUserId = event.userId ?? user.idpUserId
        user.idpOrgId = event.orgId ?? user.idpOrgId
        await setActive(user, true, event, trx)
        changed({ email: event.email })
        break
      case 'user.deactivated':
      case 'user.removed':
        await setActive(user, false, event, trx)
        changed({ email: event.email })
    }
  })
}

async function setActive(
  user: User,
  active: boolean,
  event: AddressEvent,
  trx: TransactionClientContract
) {
  await user.merge({ active }).save()
  if (user.idpUserId === null) return
  // The provider's own events about this user go on from here.
  await withProviderUser(user.idpUserId, trx, (facts) => {
    const position = eventPosition(isoTimestamp(event.occurredAt))
    const known = facts.active?.at ?? position
    const at = known > position ? known : position
    return { ...facts, active: { value: active, at } }
  })
}
