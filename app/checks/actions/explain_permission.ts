import { readTies } from '#app/permissions/actions/read_ties'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { explain } from '#app/checks/explain'
import { readEvidence } from '#app/checks/queries/evidence_query'
import { asIfUnknown } from '#app/checks/values/access_evidence'
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

/**
 * The same for the person themself. For an application in which they hold nothing, the answer is
 * that for one that does not exist: it reveals neither permissions nor who could grant access.
 *
 * @param mayView whether the panel shows them the application
 */
export async function explainOwnPermission(
  mayView: boolean,
  scope: CheckScope,
  permission: string,
  level?: AccessLevel
): Promise<Explanation> {
  const evidence = await readEvidence(scope, permission)
  const isKnown = mayView || (await readTies(scope.email, scope.app))?.holds === true
  return explain(isKnown ? evidence : asIfUnknown(evidence), level)
}
