import { isoTimestamp } from '#core/values/iso_timestamp'
import { isPseudonym } from '#app/profiles/values/pseudonym'
import type Suppression from '#app/suppressions/models/suppression'

export function suppressionResource({
  id,
  email,
  reason,
  note,
  notificationId,
  createdAt,
}: Suppression) {
  return {
    id,
    /** Null if the user was erased */
    email: isPseudonym(email) ? null : email,
    reason,
    /** What an administrator wrote, or the mail server said */
    note,
    /** The mail that came back or was reported; null if it is unknown */
    notificationId,
    createdAt: isoTimestamp(createdAt),
  }
}
