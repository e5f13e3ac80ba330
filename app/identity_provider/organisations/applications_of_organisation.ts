import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import Application from '#app/applications/models/application'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'
import identityProvider from '#config/identity_provider'

/** See identity-provider.md#preferences-of-new-members. */
export async function applicationsOfOrganisation(
  orgId: string,
  trx: TransactionClientContract
): Promise<Application[]> {
  const setUp = await OrganisationApplication.query({ client: trx }).where('organisationId', orgId)
  return Application.query({ client: trx })
    .whereIn(
      'id',
      setUp.map(({ applicationId }) => applicationId)
    )
    .orWhere('code', identityProvider.organisationApplications.get(orgId) ?? '')
    .orderBy('id')
}
