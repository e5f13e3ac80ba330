import { Turns } from '#core/values/turns'
import { invalidField, invalidFields } from '#core/exceptions/problems'
import { type ValidPolicy, policyValidator } from '#app/policies/validators/policy_validator'
import { findUnknownFields } from '#app/policies/values/find_unknown_fields'
import { policySchema } from '#app/policies/values/policy_schema'

/**
 * Validates the form of a document. `requireConsistent` checks that what it names exists.
 *
 * @throws ValidationError
 */
export async function validatePolicy(content: unknown): Promise<ValidPolicy> {
  const turns = new Turns()
  const valid = await policyValidator.validate(content)
  if (turns.isOver) await turns.next()
  const unknown = findUnknownFields(content, policySchema)
  if (unknown.length > 0) throw invalidFields(unknown)
  if (turns.isOver) await turns.next()
  return valid
}

/**
 * Also requires that the document is about this application.
 *
 * @throws ValidationError
 */
export async function validatePolicyOf(appCode: string, content: unknown): Promise<ValidPolicy> {
  const policy = await validatePolicy(content)
  if (policy.application === appCode) return policy
  const message = `application must be ${appCode}, the application in the path`
  throw invalidField('application', 'sameAs', message, { expected: appCode })
}
