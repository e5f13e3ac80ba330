import Application from '#app/applications/models/application'
import { requireServiceAccount } from '#app/identity_provider/admin_api/ask_provider'
import { changeClient } from '#app/identity_provider/admin_api/oidc_clients'
import { underLease } from '#app/identity_provider/actions/under_lease'
import { ApplicationHasNoClient } from '#app/identity_provider/exceptions'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'

export interface Synchronisation {
  /** False when the instances have no callback URL, and a client without any would let nobody in: nothing was written. */
  synchronised: boolean
  redirectUris: string[]
}

/**
 * Writes the URLs of an application's instances to its OIDC clients at the identity provider (decisions 3.8): one per
 * organisation that was set up for it.
 *
 * @throws ApplicationNotFound, ApplicationHasNoClient, AlreadyAtWork, and as `askProvider` does
 */
export async function synchroniseClients(appCode: string): Promise<Synchronisation> {
  const application = await Application.withCode(appCode)
  requireServiceAccount()
  const clients = await OrganisationApplication.query()
    .where('applicationId', application.id)
    .orderBy('id')
  if (clients.length === 0) throw new ApplicationHasNoClient()
  await application.load('instances', (instances) => instances.orderBy('id'))
  const { instances } = application
  const redirectUris = unique(instances.flatMap(({ callbackUrls }) => callbackUrls))
  if (redirectUris.length === 0) return { synchronised: false, redirectUris }
  const postLogoutRedirectUris = unique(instances.flatMap(({ postLogoutUrls }) => postLogoutUrls))
  for (const { organisationId, ...client } of clients.map(clientOf)) {
    await underLease(`organisation:${organisationId}`, () =>
      changeClient(organisationId, client, { redirectUris, postLogoutRedirectUris })
    )
  }
  return { synchronised: true, redirectUris }
}

function clientOf({ organisationId, projectId, clientAppId, clientId }: OrganisationApplication) {
  return { organisationId, projectId, clientAppId, clientId }
}

const unique = (urls: string[]) => [...new Set(urls)]
