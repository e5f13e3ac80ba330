import type { Change } from '#core/audit/change'
import { transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { requireServiceAccount } from '#app/identity_provider/zitadel/call_provider'
import {
  type OidcClient,
  ensureClient,
  ensureProject,
} from '#app/identity_provider/zitadel/oidc_clients'
import {
  UNCONFIRMED,
  recordDespiteFailure,
  recordProviderChange,
} from '#app/identity_provider/zitadel/provider_writes'
import { requireOrganisation } from '#app/identity_provider/zitadel/organisations'
import { changeClientUris } from '#app/identity_provider/oidc_clients/change_client_uris'
import { requireOwnClient } from '#app/identity_provider/oidc_clients/require_own_client'
import { type Lease, withLease } from '#core/database/leases/with_lease'
import { ApplicationHasNoClient, ClientBelongsElsewhere } from '#app/identity_provider/exceptions'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'
import { NO_URIS, type ClientUris } from '#app/identity_provider/oidc_clients/client_uris'

export interface OrganisationSetup {
  projectName: string
  appName: string
  redirectUris: string[]
  userApiAppCode: string
}

/**
 * The same names find the same client, whose URIs are then replaced.
 * @throws ApplicationNotFound, OrganisationNotFound, ClientBelongsElsewhere, AlreadyAtWork, and as
 *   `callProvider` does
 */
export async function setUpOrganisation(orgId: string, setup: OrganisationSetup) {
  const application = await Application.withCode(setup.userApiAppCode)
  requireServiceAccount()
  await requireOrganisation(orgId)
  const { projectName, appName, redirectUris } = setup
  const change = (found: object): Change => ({
    action: 'organisation.set_up',
    application,
    target: { kind: 'organisation', id: orgId, label: orgId },
    before: null,
    after: { projectName, appName, redirectUris, ...found },
  })
  const { projectId, clientId } = await recordDespiteFailure(change(UNCONFIRMED), async () => {
    const client = await withLease(
      `organisation:${orgId}`,
      async (lease) =>
        (await updateKnownClient(orgId, setup, application, lease)) ??
        (await ensureNamedClient(orgId, setup, application, lease))
    )
    await recordProviderChange(change({ projectId: client.projectId, clientId: client.clientId }))
    return client
  })
  return { orgId, projectId, clientId, redirectUris, applicationCode: application.code }
}

const clientKey = (organisationId: string, { projectName, appName }: OrganisationSetup) => ({
  organisationId,
  projectName,
  clientName: appName,
})

/** Null if it is unknown here or gone at the provider. */
async function updateKnownClient(
  orgId: string,
  setup: OrganisationSetup,
  application: Application,
  lease: Lease
): Promise<OidcClient | null> {
  const row = await OrganisationApplication.query().where(clientKey(orgId, setup)).first()
  if (!row) return null
  if (row.applicationId !== application.id) throw new ClientBelongsElsewhere()
  await requireOwnClient(row.clientId, application.id)
  try {
    await changeClientUris(row, 'setupUris', urisOf(setup), lease)
    return row.client
  } catch (error) {
    if (error instanceof ApplicationHasNoClient) return null
    throw error
  }
}

async function ensureNamedClient(
  orgId: string,
  setup: OrganisationSetup,
  application: Application,
  lease: Lease
): Promise<OidcClient> {
  const { appName, projectName, redirectUris } = setup
  const projectId = await ensureProject(orgId, projectName)
  await lease.renew()
  const { client, isNew } = await ensureClient(orgId, projectId, appName, redirectUris)
  await requireOwnClient(client.clientId, application.id)
  const setupUris = isNew ? urisOf(setup) : NO_URIS
  const fields = { ...client, applicationId: application.id, setupUris, syncUris: NO_URIS }
  const row = await transaction(async (trx) => {
    await lease.renew(trx)
    return OrganisationApplication.updateOrCreate(clientKey(orgId, setup), fields, { client: trx })
  })
  if (!isNew) await changeClientUris(row, 'setupUris', urisOf(setup), lease)
  return client
}

const urisOf = ({ redirectUris }: OrganisationSetup): ClientUris => ({ ...NO_URIS, redirectUris })
