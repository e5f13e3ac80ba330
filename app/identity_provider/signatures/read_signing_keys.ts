import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import { keyEncryption } from '#app/identity_provider/signatures/key_encryption'

/**
 * Newest first. A change takes effect within a second (identity-provider.md#stored-signing-keys).
 */
export async function readSigningKeys(): Promise<string[]> {
  const keys = await ProviderSigningKey.accepted()
  return keys
    .map(({ signingKey }) => keyEncryption.decrypt(signingKey))
    .filter((signingKey) => signingKey !== null)
}
