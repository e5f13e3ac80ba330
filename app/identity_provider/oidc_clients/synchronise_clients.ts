import Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'
import { requireServiceAccount } from '#app/identity_provider/zitadel/call_provider'
import { changeClientUris } from '#app/identity_provider/oidc_clients/change_client_uris'
import { requireOwnClient } from '#app/identity_provider/oidc_clients/require_own_client'
import { withLease } from '#core/database/leases/with_lease'
import { ApplicationHasNoClient } from '#app/identity_provider/exceptions'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'
import {
  type ClientUris,
  hasUris,
  withoutDuplicates,
} from '#app/identity_provider/oidc_clients/client_uris'
import { isRedirectUrl } from '#core/validation/redirect_url'

export interface Synchronisation {
  /** False if no approved instance has, or had, a callback URL; nothing was written. */
  synchronised: boolean
  redirectUris: string[]
}

/**
 * See identity-provider.md#synchronising-callback-urls.
 * @throws ApplicationNotFound, ApplicationHasNoClient, ClientBelongsElsewhere, AlreadyAtWork, and
 *   as `callProvider` does
 */
export async function synchroniseClients(appCode: string): Promise<Synchronisation> {
  const application = await Application.withCode(appCode)
  requireServiceAccount()
  const clients = await clientsOf(application)
  if (clients.length === 0) throw new ApplicationHasNoClient()
  for (const { clientId } of clients) await requireOwnClient(clientId, application.id)
  let synchronised = false
  for (const { id, organisationId } of clients) {
    const written = await withLease(`organisation:${organisationId}`, async (lease) => {
      // Read while holding the lease, so that the later of two concurrent runs sees both changes.
      const row = await OrganisationApplication.find(id)
      if (!row) throw new ApplicationHasNoClient()
      const wanted = await instanceUris(application)
      if (hasNothingToWrite(wanted, row.syncUris)) return false
      await changeClientUris(row, 'syncUris', wanted, lease)
      return true
    })
    synchronised ||= written
  }
  const { redirectUris } = await instanceUris(application)
  return { synchronised, redirectUris }
}

export const clientsOf = ({ id }: Application) =>
  OrganisationApplication.query().where('applicationId', id).orderBy('id')

async function instanceUris({ id }: Application): Promise<ClientUris> {
  const instances = await Instance.query()
    .where('applicationId', id)
    .where('approved', true)
    .orderBy('id')
  return urisOf(instances)
}

/** Skips URLs saved before the current rules. */
export function urisOf(instances: Instance[]): ClientUris {
  const valid = (uris: string[]) => withoutDuplicates(uris.filter(isRedirectUrl))
  return {
    redirectUris: valid(instances.flatMap(({ callbackUrls }) => callbackUrls)),
    postLogoutRedirectUris: valid(instances.flatMap(({ postLogoutUrls }) => postLogoutUrls)),
  }
}

/** Whether there is nothing to write: no approved instance has, or had, a callback URL. */
export const hasNothingToWrite = (wanted: ClientUris, written: ClientUris | null) =>
  wanted.redirectUris.length === 0 && !hasUris(written)
