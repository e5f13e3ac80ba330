import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (value: string) => createHash('sha256').update(value).digest()

/**
 * Whether `given` is one of the secrets that are valid at present. Takes the same time wherever it differs, and looks
 * at all of them.
 */
export function matchesSecret(given: string | undefined, secrets: string[]): boolean {
  if (given === undefined) return false
  const givenDigest = digest(given)
  let matches = false
  for (const secret of secrets) {
    if (timingSafeEqual(givenDigest, digest(secret))) matches = true
  }
  return matches
}
