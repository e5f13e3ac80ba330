import { type FieldError, invalidField, invalidFields } from '#core/exceptions/problems'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import { normalizeEmail } from '#core/values/email'
import { type PolicyTests, testsValidator } from '#app/policies/testing/tests_validator'
import { findUnknownFields } from '#app/policies/values/find_unknown_fields'
import type { PolicyDocument } from '#app/policies/values/policy_document'

/**
 * Validates tests of a policy. A permission or role that the policy does not define is an error,
 * because a misspelt permission would always be denied.
 *
 * @throws ValidationError
 */
export async function readTests(content: unknown, policy: PolicyDocument): Promise<PolicyTests> {
  const { tests } = await testsValidator.validate(content)
  const unknown = findUnknownFields(content, testsValidator.toJSONSchema())
  if (unknown.length > 0) throw invalidFields(unknown)
  const errors = findUndefined(tests, policy)
  if (errors.length > 0) throw invalidFields(errors.slice(0, MAX_VALIDATION_ERRORS))
  return { tests: tests.map(withCanonicalAddresses) }
}

function findUndefined(tests: PolicyTests['tests'], { permissions, roles }: PolicyDocument) {
  const errors: FieldError[] = []
  const known = {
    permission: new Set(permissions?.map(({ code }) => code)),
    role: new Set(roles?.map(({ code }) => code)),
  }
  const require = (kind: keyof typeof known, code: string, field: string) => {
    if (known[kind].has(code)) return
    const message = `${field} is ${code}, but the policy has no such ${kind}`
    errors.push({ field, rule: 'exists', message })
  }
  for (const [nth, { given, expect }] of tests.entries()) {
    for (const [email, user] of Object.entries(given?.users ?? {})) {
      const field = `tests.${nth}.given.users.${email}`
      for (const [index, role] of (user.roles ?? []).entries()) {
        require('role', role, `${field}.roles.${index}`)
      }
      for (const [index, { permission }] of (user.overrides ?? []).entries()) {
        require('permission', permission, `${field}.overrides.${index}.permission`)
      }
    }
    for (const [index, { permission }] of expect.entries()) {
      require('permission', permission, `tests.${nth}.expect.${index}.permission`)
    }
  }
  return errors
}

/** @throws ValidationError */
function withCanonicalAddresses(test: PolicyTests['tests'][number], nth: number) {
  if (test.given?.users === undefined) return test
  const users = Object.entries(test.given.users).map(([address, user]) => {
    const email = normalizeEmail(address)
    if (email !== null) return [email, user] as const
    const field = `tests.${nth}.given.users.${address}`
    throw invalidField(field, 'email', `${field} must be an e-mail address`)
  })
  return { ...test, given: { ...test.given, users: Object.fromEntries(users) } }
}
