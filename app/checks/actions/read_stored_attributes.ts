import { findResourceProperties } from '#app/applications/actions/find_resource_properties'
import { readSubjectIds, subjectId } from '#app/checks/queries/subject_id'
import type { StoredAttributes } from '#app/checks/values/attributes'
import type { CheckScope } from '#app/checks/values/check_scope'

/** See checks.md#attributes. */
export async function readStoredAttributes(scope: CheckScope): Promise<StoredAttributes> {
  const [[user], resource] = await Promise.all([
    subjectId.all([scope.email]),
    readResourceProperties(scope),
  ])
  return { subjectId: user?.idp_user_id ?? scope.email, resource }
}

/** @param scopes differ in their addresses only */
export async function readStoredAttributesOfMany(
  scopes: CheckScope[]
): Promise<(question: { scope: CheckScope }) => StoredAttributes> {
  const [ids, resource] = await Promise.all([
    readSubjectIds(scopes.map(({ email }) => email)),
    readResourceProperties(scopes[0]),
  ])
  return ({ scope: { email } }) => ({ subjectId: ids.get(email) ?? email, resource })
}

/** For checks that depend on no condition. */
export function nothingStored({ email }: CheckScope): StoredAttributes {
  return { subjectId: email, resource: {} }
}

async function readResourceProperties(scope: CheckScope) {
  if (scope.resourceType === '') return {}
  return (await findResourceProperties(scope)) ?? {}
}
