import type { AccessLevel } from '#app/permissions/values/access_level'
import { explain } from '#app/checks/explain'
import { readEvidence } from '#app/checks/queries/evidence_query'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Explanation } from '#app/checks/values/explanation'

/** Why the user holds the permission or does not, and what would change that; one query, never cached. */
export async function explainPermission(
  scope: CheckScope,
  permission: string,
  level?: AccessLevel
): Promise<Explanation> {
  return explain(await readEvidence(scope, permission), level)
}
