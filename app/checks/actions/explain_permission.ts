import { readMemberStatus } from '#app/permissions/actions/read_member_status'
import { preferReplica } from '#core/database/servers/replica'
import type { Check } from '#app/checks/actions/check_permissions'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import { explain } from '#app/checks/explain'
import { readEvidence } from '#app/checks/queries/read_evidence'
import { redactApplication } from '#app/checks/values/access_evidence'
import type { Explanation } from '#app/checks/values/explanation'

/** Always reads the database. */
export async function explainPermission(check: Check): Promise<Explanation> {
  return explain(await freshEvidence(check), check.level)
}

/**
 * Explains a check to the user it is about. Without access to the application, the explanation is
 * that of an application that does not exist.
 *
 * @param mayView whether they can see the application in the panel
 */
export async function explainOwnPermission(check: Check, mayView: boolean): Promise<Explanation> {
  const evidence = await freshEvidence(check)
  const { email, app } = check.scope
  const isVisible = mayView || (await readMemberStatus(email, app))?.hasGrant === true
  return explain(isVisible ? evidence : redactApplication(evidence), check.level)
}

const freshEvidence = (check: Check) =>
  preferReplica(followedChanges.required, () => readEvidence(check))
