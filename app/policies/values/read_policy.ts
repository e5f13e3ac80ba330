import { invalidField, invalidFields } from '#core/exceptions/problems'
import { type ValidPolicy, policyValidator } from '#app/policies/validators/policy_validator'
import { findUnknownFields } from '#app/policies/values/find_unknown_fields'
import { policySchema } from '#app/policies/values/policy_schema'

/**
 * Reads a document. Whether what it names exists is left to `requireConsistent`.
 *
 * @throws ValidationError
 */
export async function readPolicy(content: unknown): Promise<ValidPolicy> {
  const valid = await policyValidator.validate(content)
  const unknown = findUnknownFields(content, policySchema)
  if (unknown.length > 0) throw invalidFields(unknown)
  return valid
}

/** The same for the document of an application. @throws ValidationError */
export async function readPolicyOf(appCode: string, content: unknown): Promise<ValidPolicy> {
  const policy = await readPolicy(content)
  if (policy.application === appCode) return policy
  const message = `application must be ${appCode}, the application in the path`
  throw invalidField('application', 'sameAs', message, { expected: appCode })
}
