import type { Change } from '#core/audit/change'
import { transaction } from '#core/database/transaction'
import { logSecurityEvent } from '#core/security_events'
import {
  type OidcClient,
  readClient,
  waitForUris,
  writeUris,
} from '#app/identity_provider/zitadel/oidc_clients'
import {
  UNCONFIRMED,
  type Unconfirmed,
  recordDespiteFailure,
  recordProviderChange,
} from '#app/identity_provider/zitadel/provider_writes'
import type { Lease } from '#core/database/leases/with_lease'
import Application from '#app/applications/models/application'
import { ApplicationHasNoClient } from '#app/identity_provider/exceptions'
import OrganisationApplication from '#app/identity_provider/models/organisation_application'
import {
  type ClientUris,
  NO_URIS,
  type UriChange,
  mergeUris,
  planUris,
  sharedUris,
  urisWithout,
} from '#app/identity_provider/oidc_clients/client_uris'

/** Who wrote a URI: the setup of an organisation or the synchronisation of instances. */
export type UriWriter = 'setupUris' | 'syncUris'

/**
 * Additions are recorded before they are written and removals after the provider confirms them, so
 * that a crash leaves no URI that nobody removes.
 * @throws ApplicationHasNoClient, AlreadyAtWork, and as `callProvider` does
 */
export async function changeClientUris(
  row: OrganisationApplication,
  writer: UriWriter,
  wanted: ClientUris,
  lease: Lease
) {
  const { organisationId } = row
  const client: OidcClient = row.client
  const config = await readClient(organisationId, client)
  const change = planUris(config.uris, removableUris(row, writer, wanted), wanted)
  await saveUris(row, writer, change.owned, lease)
  if (change.added.length === 0 && change.removed.length === 0) return
  const application = await Application.find(row.applicationId)
  const entry = (state: Unconfirmed = {}): Change => ({
    action: 'oidc_client.uris_changed',
    application,
    target: { kind: 'oidc_client', id: row.clientId, label: row.clientName },
    before: { uris: change.removed },
    after: { uris: change.added, ...state },
  })
  const log = () => logChange(row, writer, change)
  const write = async () => {
    if (!(await writeUris(organisationId, client, config, change.next))) return
    await recordProviderChange(entry())
    log()
  }
  await recordDespiteFailure(entry(UNCONFIRMED), write, log)
  if (change.removed.length === 0) return
  if (await waitForUris(organisationId, client, change.next)) {
    await saveUris(row, writer, change.kept, lease)
  }
}

/** A setup takes over the URIs it names, so removing an instance does not remove them. */
function removableUris(row: OrganisationApplication, writer: UriWriter, wanted: ClientUris) {
  const written = row[writer] ?? NO_URIS
  if (writer === 'syncUris') return written
  return mergeUris(written, sharedUris(row.syncUris ?? NO_URIS, wanted))
}

async function saveUris(
  row: OrganisationApplication,
  writer: UriWriter,
  uris: ClientUris,
  lease: Lease
) {
  await transaction(async (trx) => {
    await lease.renew(trx)
    const stored = await OrganisationApplication.query({ client: trx }).where('id', row.id).first()
    if (!stored) throw new ApplicationHasNoClient()
    stored[writer] = uris
    if (writer === 'setupUris') stored.syncUris = urisWithout(stored.syncUris ?? NO_URIS, uris)
    await stored.save()
  })
}

function logChange(
  { organisationId, clientId }: OrganisationApplication,
  writer: UriWriter,
  change: UriChange
) {
  const { added, removed } = change
  logSecurityEvent(
    'provider_client_changed',
    'The URIs of an OIDC client at the identity provider changed',
    {
      organisation: organisationId,
      clientId,
      by: writer === 'setupUris' ? 'setup' : 'sync',
      added,
      removed,
    }
  )
}
