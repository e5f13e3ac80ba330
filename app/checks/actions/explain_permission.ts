import { belongsToApplication } from '#app/permissions/actions/belongs_to_application'
import { readMemberStatus } from '#app/permissions/actions/read_member_status'
import { preferReplica } from '#core/database/servers/replica'
import type { Check } from '#app/checks/actions/check_permissions'
import { evaluateInTurn } from '#app/checks/actions/decide_in_turn'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import { explain } from '#app/checks/explain'
import { readEvidence } from '#app/checks/queries/read_evidence'
import {
  type AccessEvidence,
  redactApplication,
  redactUser,
} from '#app/checks/values/access_evidence'
import type { Explanation } from '#app/checks/values/explanation'

/** Always reads the database. */
export async function explainPermission(check: Check): Promise<Explanation> {
  return explainInTurn(await freshEvidence(check), check)
}

/**
 * Explains a check to someone who sees the application in the panel. Users who do not belong to it
 * are explained as new users, unless that would change the decision, as for super admins.
 *
 * @param mayReadUsers whether they can look up every user
 */
export async function explainToPanel(check: Check, mayReadUsers: boolean): Promise<Explanation> {
  const evidence = await freshEvidence(check)
  const explanation = await explainInTurn(evidence, check)
  const { email, app } = check.scope
  if (mayReadUsers || (await belongsToApplication(email, app))) return explanation
  const ofNewUser = await explainInTurn(redactUser(evidence), check)
  return ofNewUser.accessLevel === explanation.accessLevel ? ofNewUser : explanation
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
  return explainInTurn(isVisible ? evidence : redactApplication(evidence), check)
}

const explainInTurn = (evidence: AccessEvidence, { scope, level }: Check) =>
  evaluateInTurn(scope, (resultsOf) => explain(evidence, level, resultsOf))

const freshEvidence = (check: Check) =>
  preferReplica(followedChanges.required, () => readEvidence(check))
