import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import { keyEncryption } from '#app/identity_provider/signatures/key_encryption'

/**
 * The keys with which a call of the e-mail hook may be signed, decrypted, the newest first: the one in use and, for ten
 * minutes after a rotation, those before it (identity-provider.md#stored-signing-keys). A change by another process
 * shows within a second. Empty when none was ever stored, or none can be decrypted with `IDP_ENCRYPTION_KEY`.
 */
export async function readSigningKeys(): Promise<string[]> {
  const keys = await ProviderSigningKey.accepted()
  return keys
    .map(({ signingKey }) => keyEncryption.decrypt(signingKey))
    .filter((signingKey) => signingKey !== null)
}
