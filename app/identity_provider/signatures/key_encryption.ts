import encryption from '@adonisjs/core/services/encryption'
import identityProvider from '#config/identity_provider'

const PURPOSE = 'identity_provider.signing_key'

/** Signing keys at rest, encrypted with a key of their own (`IDP_ENCRYPTION_KEY`). */
export const keyEncryption = {
  get isConfigured(): boolean {
    return identityProvider.encryptionKey !== undefined
  },

  encrypt(signingKey: string): string {
    return encryption.use('identityProvider').encrypt(signingKey, { purpose: PURPOSE })
  },

  /** Null when the value was encrypted with another key than the one configured now. */
  decrypt(value: string): string | null {
    if (!keyEncryption.isConfigured) return null
    return encryption.use('identityProvider').decrypt<string>(value, PURPOSE)
  },
}
