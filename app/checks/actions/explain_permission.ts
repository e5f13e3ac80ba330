import { readMemberStatus } from '#app/permissions/actions/read_member_status'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { explain } from '#app/checks/explain'
import { readEvidence } from '#app/checks/queries/read_evidence'
import { redactApplication } from '#app/checks/values/access_evidence'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Explanation } from '#app/checks/values/explanation'

/** Always reads the database. */
export async function explainPermission(
  scope: CheckScope,
  permission: string,
  level?: AccessLevel
): Promise<Explanation> {
  return explain(await readEvidence(scope, permission), level)
}

/**
 * Explains a check to the person it is about. Without access to the application, the explanation is
 * that of an application that does not exist.
 *
 * @param mayView whether they can see the application in the panel
 */
export async function explainOwnPermission(
  mayView: boolean,
  scope: CheckScope,
  permission: string,
  level?: AccessLevel
): Promise<Explanation> {
  const evidence = await readEvidence(scope, permission)
  const isVisible = mayView || (await readMemberStatus(scope.email, scope.app))?.hasGrant === true
  return explain(isVisible ? evidence : redactApplication(evidence), level)
}
