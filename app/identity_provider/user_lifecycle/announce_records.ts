import type { AccessScope } from '#core/events/access_changed'

/** Beyond this, one change for everyone is cheaper. */
const MAX_ANNOUNCED = 100

/** Announces a change of the records of these addresses. */
export function announceRecords(emails: Set<string>, changed: (scope: AccessScope) => void) {
  if (emails.size > MAX_ANNOUNCED) return changed({})
  for (const email of emails) changed({ email })
}
