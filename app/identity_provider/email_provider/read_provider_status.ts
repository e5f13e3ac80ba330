import { isoTimestamp } from '#core/values/iso_timestamp'
import { serviceAccount } from '#app/identity_provider/zitadel/zitadel'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import { keyEncryption } from '#app/identity_provider/signatures/key_encryption'
import { hookEndpoint } from '#app/identity_provider/email_provider/hook_endpoint'

export interface ProviderStatus {
  configured: boolean
  /** The id of the e-mail provider at the identity provider. */
  providerId: string | null
  /** The URL to which the identity provider posts mails. */
  endpoint: string
  hasSigningKey: boolean
  serviceAccountConfigured: boolean
  /** Whether `IDP_ENCRYPTION_KEY` is set, without which no signing key can be stored. */
  encryptionKeyConfigured: boolean
  /**
   * The last call of the e-mail hook with a valid signature, to the minute. If it stops advancing,
   * no mail is being delivered.
   */
  lastHookCallAt: string | null
}

/** See identity-provider.md#status-of-the-e-mail-provider. */
export async function readProviderStatus(): Promise<ProviderStatus> {
  const provider = await NotificationProvider.current()
  const hasSigningKey = (await readCurrentKey()) !== null
  const providerId = provider?.providerId ?? null
  return {
    configured: providerId !== null && hasSigningKey,
    providerId,
    endpoint: hookEndpoint,
    hasSigningKey,
    serviceAccountConfigured: serviceAccount.isConfigured,
    encryptionKeyConfigured: keyEncryption.isConfigured,
    lastHookCallAt: isoTimestamp(provider?.lastHookCallAt ?? null),
  }
}

/** The current signing key; null if there is none or it cannot be decrypted. */
export async function readCurrentKey(): Promise<string | null> {
  const key = await ProviderSigningKey.current()
  return key && keyEncryption.decrypt(key.signingKey)
}
