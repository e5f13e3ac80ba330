import identityProviderConfig from '#config/identity_provider'
import { ClientBelongsElsewhere } from '#app/identity_provider/exceptions'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'

/** @throws ClientBelongsElsewhere for the platform's own client and those of other applications */
export async function requireOwnClient(clientId: string, applicationId: number) {
  if (clientId === identityProviderConfig.clientId) throw new ClientBelongsElsewhere()
  const foreign = await OrganisationApplication.query()
    .where('clientId', clientId)
    .whereNot('applicationId', applicationId)
    .first()
  if (foreign) throw new ClientBelongsElsewhere()
}
