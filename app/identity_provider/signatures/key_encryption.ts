import encryption from '@adonisjs/core/services/encryption'
import identityProvider from '#config/identity_provider'

const PURPOSE = 'identity_provider.signing_key'

/** Encrypts the stored signing keys with `IDP_ENCRYPTION_KEY`. */
export const keyEncryption = {
  get isConfigured(): boolean {
    return identityProvider.encryptionKey !== undefined
  },

  encrypt(signingKey: string): string {
    return encryption.use('identityProvider').encrypt(signingKey, { purpose: PURPOSE })
  },

  /** Null if the value was encrypted with another key. */
  decrypt(value: string): string | null {
    if (!keyEncryption.isConfigured) return null
    return encryption.use('identityProvider').decrypt<string>(value, PURPOSE)
  },
}
