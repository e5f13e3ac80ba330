/** An idempotency key whose request is being handled. */
export interface KeyClaim {
  keyDigest: string
  claimedAt: string
  /** The send that a crashed process had stored for this key */
  notificationId: number | null
}
