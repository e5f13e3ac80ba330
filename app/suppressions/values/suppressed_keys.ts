import { secrets } from '#core/secrets'

const PURPOSE = 'suppressions.address'

/** In place of the address of an erased user (suppressions.md#erased-users). */
export const addressFingerprint = (email: string) => secrets.fingerprint(email, PURPOSE)

/** What a suppression of this address can be stored under. */
export const suppressedKeys = (email: string): string[] => [
  email,
  ...secrets.fingerprints(email, PURPOSE),
]
