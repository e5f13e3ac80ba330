import { findResourceProperties } from '#app/applications/actions/find_resource_properties'
import { subjectId } from '#app/checks/queries/subject_id'
import type { StoredAttributes } from '#app/checks/values/attributes'
import type { CheckScope } from '#app/checks/values/check_scope'

/** See checks.md#attributes. */
export async function readStoredAttributes(scope: CheckScope): Promise<StoredAttributes> {
  const [[user], properties] = await Promise.all([
    subjectId.all([scope.email]),
    scope.resourceType === '' ? undefined : findResourceProperties(scope),
  ])
  return { subjectId: user?.idp_user_id ?? scope.email, resource: properties ?? {} }
}

/** For checks that depend on no condition. */
export function nothingStored({ email }: CheckScope): StoredAttributes {
  return { subjectId: email, resource: {} }
}
