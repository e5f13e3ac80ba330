import encryption from '@adonisjs/core/services/encryption'

/**
 * What rests on the application's key: secrets that this service must be able to use again, encrypted, and values that
 * nobody else may have made, signed. The purpose binds a value to its place, so that one cannot be moved to another column.
 */
export const secrets = {
  encrypt(value: string, purpose: string): string {
    return encryption.encrypt(value, { purpose })
  },

  /** Null when the value was encrypted with a key this process does not have. */
  decrypt(value: string, purpose: string): string | null {
    return encryption.decrypt<string>(value, purpose)
  },

  /** Readable by everybody, but made by nobody else: for links, where it costs a tenth of encrypting. */
  sign(value: string, purpose: string): string {
    return encryption.getMessageVerifier().sign(value, undefined, purpose)
  },

  /** What was signed for this purpose; null for anything else. */
  unsign(value: string, purpose: string): string | null {
    return encryption.getMessageVerifier().unsign<string>(value, purpose)
  },

  /** Tells equal values apart from others, and nothing of them to whoever lacks the application's key. */
  fingerprint(value: string, purpose: string): string {
    return encryption.blindIndex(value, purpose)
  },
}
