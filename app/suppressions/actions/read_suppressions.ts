import Suppression from '#app/suppressions/models/suppression'
import { suppressedKeys } from '#app/suppressions/values/suppressed_keys'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

/** Of those addresses that get no mail, with one query. */
export async function readSuppressions(
  emails: Iterable<string>
): Promise<Map<string, SuppressionReason>> {
  const emailByKey = new Map<string, string>()
  for (const email of emails) {
    for (const key of suppressedKeys(email)) emailByKey.set(key, email)
  }
  if (emailByKey.size === 0) return new Map()
  const rows = await Suppression.query()
    .whereIn('email', [...emailByKey.keys()])
    .select('email', 'reason')
  return new Map(rows.map(({ email, reason }) => [emailByKey.get(email)!, reason]))
}
