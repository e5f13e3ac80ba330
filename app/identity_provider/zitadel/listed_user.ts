import type { Names } from '#app/profiles/values/names'

/** A user in the provider's lists (zitadel.md#listed-users). */
export interface ListedUser {
  userId: string
  orgId: string | null
  /** Null if the provider does not say. */
  active: boolean | null
  /** Null if absent or invalid. */
  email: string | null
  isVerified: boolean
  names: Names
  /** The user's last change, as RFC 3339. */
  changedAt: string | null
}
