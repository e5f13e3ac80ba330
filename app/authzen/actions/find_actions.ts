import { byBytes } from '#core/values/byte_order'
import { searchPermissions } from '#app/checks/actions/search_permissions'
import { resolveScope } from '#app/authzen/actions/resolve_scope'
import { attributesOf } from '#app/authzen/values/access_request'
import { type ResultPage, NOTHING, type SearchPage } from '#app/authzen/values/result_page'
import type { ActionSearchRequest } from '#app/authzen/values/authzen_search'

/**
 * All permissions are decided for each page, because an application has a limited number of them.
 *
 * @throws ApplicationNotFound
 */
export async function findActions(
  appCode: string,
  request: ActionSearchRequest,
  { limit, cursor }: SearchPage
): Promise<ResultPage<{ name: string }>> {
  const scope = await resolveScope(appCode, request)
  if ('unknown' in scope) return NOTHING
  const found = await searchPermissions({ scope, attributes: attributesOf(request) })
  const names = found.flatMap(({ allowed, permission }) => (allowed ? permission.code : []))
  const rest = cursor === undefined ? names : names.filter((name) => byBytes(name, cursor) > 0)
  const shown = rest.slice(0, limit)
  return {
    results: shown.map((name) => ({ name })),
    nextCursor: shown.length < rest.length ? shown.at(-1)! : null,
    total: names.length,
  }
}
