import { transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { requireServiceAccount } from '#app/identity_provider/admin_api/ask_provider'
import {
  type OidcClient,
  changeClient,
  ensureClient,
  ensureProject,
} from '#app/identity_provider/admin_api/oidc_clients'
import { requireOrganisation } from '#app/identity_provider/admin_api/organisations'
import { type Lease, underLease } from '#app/identity_provider/actions/under_lease'
import { ApplicationHasNoClient } from '#app/identity_provider/exceptions'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'

export interface OrganisationSetup {
  projectName: string
  appName: string
  redirectUris: string[]
  userApiAppCode: string
}

/**
 * Gives the people of an organisation a way into an application: project and OIDC client at the identity provider, and
 * here the mapping that lifecycle events follow (specification 4.7, decisions 5.5). The same names again find the same
 * client, with the URLs given last.
 *
 * @throws ApplicationNotFound, OrganisationNotFound, AlreadyAtWork, and as `askProvider` does
 */
export async function setUpOrganisation(orgId: string, setup: OrganisationSetup) {
  const application = await Application.withCode(setup.userApiAppCode)
  requireServiceAccount()
  await requireOrganisation(orgId)
  const client = await underLease(`organisation:${orgId}`, async (lease) => {
    const found =
      (await rememberedClient(orgId, setup)) ?? (await clientByName(orgId, setup, lease))
    await remember(orgId, setup, found, application, lease)
    return found
  })
  const { projectId, clientId } = client
  const { redirectUris } = setup
  return { orgId, projectId, clientId, redirectUris, applicationCode: application.code }
}

const nameOf = (organisationId: string, { projectName, appName }: OrganisationSetup) => ({
  organisationId,
  projectName,
  clientName: appName,
})

/** Null when there is none, or it was removed there. */
async function rememberedClient(orgId: string, setup: OrganisationSetup) {
  const known = await OrganisationApplication.query().where(nameOf(orgId, setup)).first()
  if (!known) return null
  const { projectId, clientAppId, clientId } = known
  const client: OidcClient = { projectId, clientAppId, clientId }
  try {
    await changeClient(orgId, client, { redirectUris: setup.redirectUris })
    return client
  } catch (error) {
    if (error instanceof ApplicationHasNoClient) return null
    throw error
  }
}

async function clientByName(orgId: string, setup: OrganisationSetup, lease: Lease) {
  const projectId = await ensureProject(orgId, setup.projectName)
  await lease.renew()
  return ensureClient(orgId, projectId, setup.appName, { redirectUris: setup.redirectUris })
}

async function remember(
  orgId: string,
  setup: OrganisationSetup,
  client: OidcClient,
  application: Application,
  lease: Lease
) {
  await transaction(async (trx) => {
    await lease.renew(trx)
    const fields = { ...client, applicationId: application.id }
    await OrganisationApplication.updateOrCreate(nameOf(orgId, setup), fields, { client: trx })
  })
}
