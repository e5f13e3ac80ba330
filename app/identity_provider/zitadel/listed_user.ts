import type { Names } from '#app/profiles/values/names'

/** A user as the provider lists them (zitadel.md#listed-users). */
export interface ListedUser {
  userId: string
  orgId: string | null
  /** Null when the provider does not say. */
  active: boolean | null
  /** Null for none, and for one that is no address. */
  email: string | null
  isVerified: boolean
  names: Names
  /** RFC 3339; the time of the latest change of anything about them. */
  changedAt: string | null
}
