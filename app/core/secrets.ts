import encryption from '@adonisjs/core/services/encryption'

/** Each purpose has its own values, so that a value cannot be moved to another column. */
export const secrets = {
  /** @param expiresIn In milliseconds; afterwards the value cannot be decrypted */
  encrypt(value: string, purpose: string, expiresIn?: number): string {
    return encryption.encrypt(value, { purpose, expiresIn })
  },

  /** Null if the value was encrypted with an unknown key. */
  decrypt(value: string, purpose: string): string | null {
    return encryption.decrypt<string>(value, purpose)
  },

  /** Signed values are readable. Signing takes a tenth of the time of encryption. */
  sign(value: string, purpose: string): string {
    return encryption.getMessageVerifier().sign(value, undefined, purpose)
  },

  unsign(value: string, purpose: string): string | null {
    return encryption.getMessageVerifier().unsign<string>(value, purpose)
  },

  /** Equal values have equal fingerprints, which reveal nothing without the application's key. */
  fingerprint(value: string, purpose: string): string {
    return encryption.blindIndex(value, purpose)
  },

  /** By the current key, then by previous ones. */
  fingerprints(value: string, purpose: string): string[] {
    return encryption.blindIndexes(value, purpose)
  },

  /** Whether a fingerprint is that of the value, by the current key or a previous one. */
  isFingerprintOf(value: string, purpose: string, fingerprint: string | null): boolean {
    return fingerprint !== null && this.fingerprints(value, purpose).includes(fingerprint)
  },
}
