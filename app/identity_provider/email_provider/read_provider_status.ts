import { isoTimestamp } from '#core/database/columns'
import { serviceAccount } from '#app/identity_provider/zitadel/zitadel'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import { keyEncryption } from '#app/identity_provider/signatures/key_encryption'
import { hookEndpoint } from '#app/identity_provider/email_provider/hook_endpoint'

export interface ProviderStatus {
  configured: boolean
  /** Its id at the identity provider. */
  providerId: string | null
  /** Where the identity provider has to post to. */
  endpoint: string
  hasSigningKey: boolean
  serviceAccountConfigured: boolean
  /** When a correctly signed call of the e-mail hook was last seen, to the minute: none any more, and mail stands still. */
  lastHookCallAt: string | null
}

/** How this service and the identity provider's e-mail provider stand (identity-provider.md#status-of-the-e-mail-provider), as far as is known here. */
export async function readProviderStatus(): Promise<ProviderStatus> {
  const provider = await NotificationProvider.current()
  const hasSigningKey = (await readKeyInUse()) !== null
  const providerId = provider?.providerId ?? null
  return {
    configured: providerId !== null && hasSigningKey,
    providerId,
    endpoint: hookEndpoint,
    hasSigningKey,
    serviceAccountConfigured: serviceAccount.isConfigured,
    lastHookCallAt: isoTimestamp(provider?.lastHookCallAt ?? null),
  }
}

/** The key the identity provider signs with now, as far as is known here; null when it cannot be decrypted, too. */
export async function readKeyInUse(): Promise<string | null> {
  const key = await ProviderSigningKey.inUse()
  return key && keyEncryption.decrypt(key.signingKey)
}
