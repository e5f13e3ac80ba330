import type { Change } from '#core/audit/change'
import { recordDone } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import {
  activateEmailProvider,
  addEmailProvider,
  changeEmailProvider,
  listEmailProviders,
  removeEmailProvider,
} from '#app/identity_provider/zitadel/email_providers'
import {
  UNCONFIRMED,
  type Unconfirmed,
  endProviderWrite,
  recordDespiteFailure,
  recordProviderChange,
} from '#app/identity_provider/zitadel/provider_writes'
import { pollUntil } from '#app/identity_provider/zitadel/poll_until'
import { requireServiceAccount } from '#app/identity_provider/zitadel/call_provider'
import { storeSigningKey } from '#app/identity_provider/signatures/store_signing_key'
import {
  type ProviderPlan,
  obsoleteProviderIds,
  planProviderSetup,
} from '#app/identity_provider/email_provider/plan_provider_setup'
import {
  type ProviderStatus,
  readProviderStatus,
} from '#app/identity_provider/email_provider/read_provider_status'
import { type Lease, withLease } from '#core/database/leases/with_lease'
import { EncryptionKeyNotConfigured, ProviderNotSetUp } from '#app/identity_provider/exceptions'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import { hookEndpoint } from '#app/identity_provider/email_provider/hook_endpoint'
import { keyEncryption } from '#app/identity_provider/signatures/key_encryption'

const LEASE = 'notification-provider'

export type ActiveProviderStatus = ProviderStatus & { active: boolean }

/**
 * See identity-provider.md#setting-up-the-e-mail-provider. Repairs whatever an earlier run left
 * behind.
 * @throws ServiceAccountNotConfigured, EncryptionKeyNotConfigured, AlreadyAtWork, and as
 *   `callProvider` does
 */
export async function setUpProvider({ rotate = false } = {}): Promise<ActiveProviderStatus> {
  requireSettings()
  await withLease(LEASE, async (lease) => {
    const plan = await planProviderSetup({ rotate })
    // The id of an added provider is in the lost response.
    const id = plan.keep?.id ?? hookEndpoint
    const remaining = await recordDespiteFailure(providerSetup(id, UNCONFIRMED), () =>
      setUp(plan, lease)
    )
    for (const other of remaining) {
      await lease.renew()
      await removeObsolete(other)
    }
  })
  return { ...(await readProviderStatus()), active: true }
}

/** @throws ProviderNotSetUp, and as `setUpProvider` does */
export async function activateProvider(): Promise<ActiveProviderStatus> {
  requireSettings()
  await withLease(LEASE, async () => {
    const { configured, providerId } = await readProviderStatus()
    if (!configured || providerId === null) throw new ProviderNotSetUp()
    await activate(providerId)
  })
  return { ...(await readProviderStatus()), active: true }
}

/** @throws ServiceAccountNotConfigured, EncryptionKeyNotConfigured */
export function requireSettings() {
  requireServiceAccount()
  if (!keyEncryption.isConfigured) throw new EncryptionKeyNotConfigured()
}

/** @returns the ids of the providers that are no longer needed */
async function setUp(plan: ProviderPlan, lease: Lease): Promise<string[]> {
  const { id, remove } = plan.keep ? await updateKept(plan, lease) : await addProvider(plan, lease)
  await lease.renew()
  // The entry of an added provider covers its activation.
  await activate(id, { isRecorded: plan.keep?.isActive !== false })
  return remove
}

async function updateKept({ keep, change, remove }: ProviderPlan, lease: Lease) {
  const { id } = keep!
  if (change) {
    await lease.renew()
    const signingKey = await changeEmailProvider(id, hookEndpoint, change)
    await saveProvider(id, signingKey, lease)
  }
  return { id, remove }
}

async function addProvider({ remove }: ProviderPlan, lease: Lease) {
  await lease.renew()
  const { id, signingKey } = await addEmailProvider(hookEndpoint)
  await saveProvider(id, signingKey, lease)
  // The list lags behind. Once it has the new provider, it also has those added before it.
  const present = await pollUntil(listEmailProviders, (all) => all.some((one) => one.id === id))
  return { id, remove: [...new Set([...remove, ...obsoleteProviderIds({ id }, present, null)])] }
}

async function activate(id: string, { isRecorded = false } = {}) {
  const change = (state: Unconfirmed = {}): Change => ({
    action: 'notification_provider.activated',
    application: null,
    target: providerTarget(id),
    before: null,
    after: { active: true, ...state },
  })
  await recordDespiteFailure(change(UNCONFIRMED), async () => {
    const isChanged = await activateEmailProvider(id)
    if (isChanged && !isRecorded) await recordProviderChange(change())
  })
}

async function removeObsolete(id: string) {
  const removal: Change = {
    action: 'notification_provider.removed',
    application: null,
    target: providerTarget(id),
    before: { endpoint: hookEndpoint },
    after: null,
  }
  await recordDespiteFailure({ ...removal, after: { ...UNCONFIRMED } }, async () => {
    await removeEmailProvider(id)
    await recordProviderChange(removal)
  })
}

const providerTarget = (id: string) => ({ kind: 'notification_provider', id, label: hookEndpoint })

async function saveProvider(providerId: string, signingKey: string | null, lease: Lease) {
  await transaction(async (trx) => {
    await lease.renew(trx)
    await NotificationProvider.remember({ providerId, endpoint: hookEndpoint }, trx)
    if (signingKey !== null) await storeSigningKey(signingKey, trx)
    if (!(await endProviderWrite(trx))) return
    await recordDone(trx, providerSetup(providerId, { isKeyNew: signingKey !== null }))
  })
}

const providerSetup = (id: string, details: object): Change => ({
  action: 'notification_provider.set_up',
  application: null,
  target: providerTarget(id),
  before: null,
  after: { endpoint: hookEndpoint, ...details },
})
