import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { ensurePreference } from '#app/profiles/actions/ensure_preference'
import type User from '#app/profiles/models/user'
import { applicationsOfOrganisation } from '#app/identity_provider/organisations/applications_of_organisation'

/** Gives a new member a preference in the organisation's applications. Records no login. */
export async function prepareMappedApplication(
  user: User,
  orgId: string | null,
  trx: TransactionClientContract
) {
  if (orgId === null) return
  for (const application of await applicationsOfOrganisation(orgId, trx)) {
    await ensurePreference({ userId: user.id, applicationId: application.id }, trx)
  }
}
