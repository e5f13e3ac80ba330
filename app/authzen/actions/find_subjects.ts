import { searchSubjects } from '#app/checks/actions/search_subjects'
import { hasResourceType } from '#app/authzen/actions/has_resource_type'
import { SUBJECT_TYPE } from '#app/authzen/actions/resolve_scope'
import { nameSubjects } from '#app/authzen/actions/name_subjects'
import { attributesOf } from '#app/authzen/values/access_request'
import {
  type ResultPage,
  NOTHING,
  type SearchPage,
  type TypedId,
} from '#app/authzen/values/result_page'
import type { SubjectSearchRequest } from '#app/authzen/values/authzen_search'

/** @throws ApplicationNotFound; ValidationError for the cursor of another search */
export async function findSubjects(
  appCode: string,
  request: SubjectSearchRequest,
  page: SearchPage
): Promise<ResultPage<TypedId>> {
  const { subject, action, resource } = request
  const isKnown = await hasResourceType(appCode, resource.type)
  if (!isKnown || subject.type !== SUBJECT_TYPE) return NOTHING
  const scope = { app: appCode, resourceType: resource.type, resourceId: resource.id }
  const search = { scope, permission: action.name, attributes: attributesOf(request) }
  const { found, nextCursor, total } = await searchSubjects(search, page, '')
  const ids = await nameSubjects(found.flatMap(({ allowed, item }) => (allowed ? item.key : [])))
  return { results: ids.map((id) => ({ type: SUBJECT_TYPE, id })), nextCursor, total }
}
