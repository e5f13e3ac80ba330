import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { applyNames } from '#app/profiles/actions/apply_names'
import { ensurePreference } from '#app/profiles/actions/ensure_preference'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import type User from '#app/profiles/models/user'
import { applicationsOfOrganisation } from '#app/identity_provider/actions/applications_of_organisation'
import type { LifecycleEvent } from '#app/identity_provider/values/lifecycle_event'

/**
 * Brings the user record in line with what happened at the identity provider (specification 3.1). A person this
 * service has not heard of is recorded first, so that a deactivation is never lost. Repeated events change nothing more.
 */
export async function handleLifecycleEvent(event: LifecycleEvent): Promise<void> {
  await changingAccess(async (trx, changed) => {
    const user = await ensureUser(
      { email: event.email, idpUserId: event.userId, idpOrgId: event.orgId },
      undefined,
      trx
    )
    // Only an update reports changed names; a profile without any takes them from wherever they come (decisions 2.1).
    if (event.type === 'user.updated' || user.namesChangedAt === null) {
      await applyNames(user, { names: event.names, changedAt: event.occurredAt }, trx)
    }
    switch (event.type) {
      case 'user.created':
        await prepareMappedApplication(user, event.orgId, trx)
        break
      case 'user.reactivated':
        await user.merge({ active: true }).save()
        changed({ email: event.email })
        break
      case 'user.deactivated':
      case 'user.removed':
        await user.merge({ active: false }).save()
        changed({ email: event.email })
    }
  })
}

/** A new member of a mapped organisation starts with a preference in its applications; no login is recorded. */
async function prepareMappedApplication(
  user: User,
  orgId: string | null,
  trx: TransactionClientContract
) {
  if (orgId === null) return
  for (const application of await applicationsOfOrganisation(orgId, trx)) {
    await ensurePreference({ userId: user.id, applicationId: application.id }, trx)
  }
}
