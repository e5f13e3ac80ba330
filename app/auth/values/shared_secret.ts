import { hash, timingSafeEqual } from 'node:crypto'

const digest = (value: string) => hash('sha256', value, 'buffer')

/**
 * The secrets of one setting, of which several may be valid at once so that they can be rotated.
 *
 * @example
 * const internalKeys = new SharedSecrets('INTERNAL_API_KEY', authConfig.internalKeys)
 * internalKeys.nameOf(given) // 'INTERNAL_API_KEY 1', or null
 */
export class SharedSecrets {
  readonly #setting: string
  readonly #digests: Buffer[]

  constructor(setting: string, secrets: string[]) {
    this.#setting = setting
    this.#digests = secrets.map(digest)
  }

  /**
   * The name, for logs, of the secret that `given` equals; null if there is none. Compares with all
   * of them in constant time.
   */
  nameOf(given: string | undefined): string | null {
    if (given === undefined) return null
    const givenDigest = digest(given)
    let found = 0
    for (const [index, expected] of this.#digests.entries()) {
      if (timingSafeEqual(givenDigest, expected)) found = index + 1
    }
    return found === 0 ? null : `${this.#setting} ${found}`
  }
}
