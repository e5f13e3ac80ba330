import { Problem } from '#core/exceptions/problem'
import Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'
import type OrganisationApplication from '#app/identity_provider/models/organisation_application'
import { type ClientUris, NO_URIS, planUris } from '#app/identity_provider/oidc_clients/client_uris'
import { requireOwnClient } from '#app/identity_provider/oidc_clients/require_own_client'
import {
  clientsOf,
  hasNothingToWrite,
  urisOf,
} from '#app/identity_provider/oidc_clients/synchronise_clients'
import { readClient } from '#app/identity_provider/zitadel/oidc_clients'
import { serviceAccount } from '#app/identity_provider/zitadel/zitadel'

/** How many clients one request asks the identity provider for. */
const MAX_CLIENTS = 20

export interface ClientState {
  organisationId: string
  clientId: string
  clientName: string
  state: 'in_sync' | 'pending' | 'failed'
  /** Why a synchronisation fails, or would fail; null if it does not */
  problem: { code: string; detail: string } | null
  /** The URIs that a synchronisation would add */
  adds: string[]
  /** The URIs that a synchronisation would remove */
  removes: string[]
}

export interface InstanceState {
  id: number
  state: 'in_sync' | 'pending' | 'failed' | 'not_approved' | 'no_client'
}

export interface SynchronisationState {
  /** False if the identity provider cannot be asked; the lists are empty then */
  serviceAccountConfigured: boolean
  /** The first 20 */
  clients: ClientState[]
  clientCount: number
  instances: InstanceState[]
}

/**
 * Compares the instances of an application with its clients at the identity provider
 * (identity-provider.md#state-of-the-clients). Changes nothing.
 *
 * @throws ApplicationNotFound
 */
export async function readSynchronisation(appCode: string): Promise<SynchronisationState> {
  const application = await Application.withCode(appCode)
  if (!serviceAccount.isConfigured) {
    return { serviceAccountConfigured: false, clients: [], clientCount: 0, instances: [] }
  }
  const rows = await clientsOf(application)
  const instances = await Instance.query().where('applicationId', application.id).orderBy('id')
  const wanted = urisOf(instances.filter(({ approved }) => approved))
  const asked = rows.slice(0, MAX_CLIENTS)
  const clients = await Promise.all(asked.map((row) => readState(row, wanted)))
  return {
    serviceAccountConfigured: true,
    clients,
    clientCount: rows.length,
    instances: instances.map((instance) => ({
      id: instance.id,
      state: stateOf(instance, clients),
    })),
  }
}

async function readState(row: OrganisationApplication, wanted: ClientUris): Promise<ClientState> {
  const { organisationId, clientId, clientName, syncUris } = row
  const about = { organisationId, clientId, clientName, problem: null, adds: [], removes: [] }
  try {
    await requireOwnClient(clientId, row.applicationId)
    const { uris } = await readClient(organisationId, row.client)
    if (hasNothingToWrite(wanted, syncUris)) return { ...about, state: 'in_sync' }
    const { added, removed } = planUris(uris, syncUris ?? NO_URIS, wanted)
    const state = added.length + removed.length === 0 ? 'in_sync' : 'pending'
    return { ...about, state, adds: added, removes: removed }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const problem = { code: error.kind.code, detail: error.message }
    return { ...about, state: 'failed', problem }
  }
}

function stateOf(instance: Instance, clients: ClientState[]): InstanceState['state'] {
  if (!instance.approved) return 'not_approved'
  if (clients.length === 0) return 'no_client'
  const { redirectUris, postLogoutRedirectUris } = urisOf([instance])
  const own = new Set([...redirectUris, ...postLogoutRedirectUris])
  if (clients.some(({ adds }) => adds.some((uri) => own.has(uri)))) return 'pending'
  return clients.some(({ state }) => state === 'failed') ? 'failed' : 'in_sync'
}
