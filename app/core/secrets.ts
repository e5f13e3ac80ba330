import encryption from '@adonisjs/core/services/encryption'

/**
 * Secrets at rest: passwords and keys that this service must be able to use, encrypted with the application's key.
 * The purpose binds a value to its place, so that one cannot be moved to another column.
 */
export const secrets = {
  encrypt(value: string, purpose: string): string {
    return encryption.encrypt(value, { purpose })
  },

  /** Null when the value was encrypted with a key this process does not have. */
  decrypt(value: string, purpose: string): string | null {
    return encryption.decrypt<string>(value, purpose)
  },

  /** Tells equal values apart from others, and nothing of them to whoever lacks the application's key. */
  fingerprint(value: string, purpose: string): string {
    return encryption.blindIndex(value, purpose)
  },
}
