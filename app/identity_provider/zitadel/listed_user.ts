import type { Names } from '#app/profiles/values/names'

/** A user in the provider's lists (zitadel.md#listed-users). */
export interface ListedUser {
  userId: string
  orgId: string | null
  active: boolean | null
  email: string | null
  isVerified: boolean
  names: Names
  /** The user's last change, as RFC 3339. */
  changedAt: string | null
}
