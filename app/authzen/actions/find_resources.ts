import { searchResources } from '#app/checks/actions/search_resources'
import { findSubject } from '#app/authzen/actions/find_subject'
import { hasResourceType } from '#app/authzen/actions/has_resource_type'
import { SUBJECT_TYPE } from '#app/authzen/actions/resolve_scope'
import { attributesOf } from '#app/authzen/values/access_request'
import {
  type ResultPage,
  NOTHING,
  type SearchPage,
  type TypedId,
} from '#app/authzen/values/result_page'
import type { ResourceSearchRequest } from '#app/authzen/values/authzen_search'

/** @throws ApplicationNotFound; ValidationError for the cursor of another search */
export async function findResources(
  appCode: string,
  request: ResourceSearchRequest,
  page: SearchPage
): Promise<ResultPage<TypedId>> {
  const { subject, action, resource } = request
  const isKnown = await hasResourceType(appCode, resource.type)
  const email = subject.type === SUBJECT_TYPE ? await findSubject(subject.id) : undefined
  if (!isKnown || email === undefined) return NOTHING
  const scope = { email, app: appCode, resourceType: resource.type }
  const search = { scope, permission: action.name, attributes: attributesOf(request) }
  const { found, nextCursor, total } = await searchResources(search, page, '')
  const results = found.flatMap(({ allowed, item }) =>
    allowed ? { type: resource.type, id: item.key } : []
  )
  return { results, nextCursor, total }
}
