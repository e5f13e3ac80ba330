import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import { keyEncryption } from '#app/identity_provider/signatures/key_encryption'

/**
 * The decrypted keys that may sign calls of the e-mail hook, newest first
 * (identity-provider.md#stored-signing-keys). A change by another process takes effect within a
 * second.
 */
export async function readSigningKeys(): Promise<string[]> {
  const keys = await ProviderSigningKey.accepted()
  return keys
    .map(({ signingKey }) => keyEncryption.decrypt(signingKey))
    .filter((signingKey) => signingKey !== null)
}
