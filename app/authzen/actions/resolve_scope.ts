import { type CheckScope, checkScope } from '#app/checks/values/check_scope'
import { findSubject } from '#app/authzen/actions/find_subject'
import { hasResourceType } from '#app/authzen/actions/has_resource_type'
import type { AccessRequest } from '#app/authzen/values/access_request'
import type { Unknown } from '#app/authzen/values/outcome'

/** The only type of subjects. */
export const SUBJECT_TYPE = 'user'

/**
 * What a request is about, in the terms of checks.
 *
 * @throws ApplicationNotFound
 */
export async function resolveScope(
  appCode: string,
  { subject, resource }: Pick<AccessRequest, 'subject' | 'resource'>
): Promise<CheckScope | Unknown> {
  if (!(await hasResourceType(appCode, resource.type))) return { unknown: 'resource type' }
  if (subject.type !== SUBJECT_TYPE) return { unknown: 'subject type' }
  const email = await findSubject(subject.id)
  if (email === undefined) return { unknown: 'subject' }
  return checkScope(email, appCode, resource.type, resource.id)
}
