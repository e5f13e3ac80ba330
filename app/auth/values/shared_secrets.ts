import { hash, timingSafeEqual } from 'node:crypto'

const digest = (value: string) => hash('sha256', value, 'buffer')

/** The secrets of one setting. Several may be valid at once, for rotation. */
export class SharedSecrets {
  readonly #setting: string
  readonly #digests: Buffer[]

  constructor(setting: string, secrets: string[]) {
    this.#setting = setting
    this.#digests = secrets.map(digest)
  }

  /** The name of the matching secret, for logs: `INTERNAL_API_KEY 1`. Takes constant time. */
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
