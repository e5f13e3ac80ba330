import type { JsonObject } from '#app/permissions/conditions/condition_variables'
import { AuthzenRequest } from '#app/authzen/validators/authzen_request'
import type {
  ActionSearchRequest,
  Asked,
  PageRequest,
  ResourceSearchRequest,
  SubjectSearchRequest,
} from '#app/authzen/values/authzen_search'

/**
 * @throws ValidationError
 * @describedBy search_schema#subjectSearch
 */
export function subjectSearch(body: unknown): Asked<SubjectSearchRequest> {
  const request = new AuthzenRequest(body)
  return finish(request, {
    subject: request.part('subject', ['type']),
    action: request.part('action', ['name']),
    resource: request.part('resource', ['type', 'id']),
    context: request.context(),
  })
}

/**
 * @throws ValidationError
 * @describedBy search_schema#resourceSearch
 */
export function resourceSearch(body: unknown): Asked<ResourceSearchRequest> {
  const request = new AuthzenRequest(body)
  return finish(request, {
    subject: request.part('subject', ['type', 'id']),
    action: request.part('action', ['name']),
    resource: request.part('resource', ['type']),
    context: request.context(),
  })
}

/**
 * @throws ValidationError
 * @describedBy search_schema#actionSearch
 */
export function actionSearch(body: unknown): Asked<ActionSearchRequest> {
  const request = new AuthzenRequest(body)
  return finish(request, {
    subject: request.part('subject', ['type', 'id']),
    resource: request.part('resource', ['type', 'id']),
    context: request.context(),
  })
}

function finish<Search extends object>(request: AuthzenRequest, search: Search): Asked<Search> {
  const page: PageRequest = request.page()
  return { search: sorted(request.finish(search)), page }
}

/** Tokens belong to a search, whatever the order of its members. */
function sorted<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(sorted) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as JsonObject).map(([key, one]) => [key, sorted(one)])
  return Object.fromEntries(entries.sort(([a], [b]) => (a! < b! ? -1 : 1))) as Value
}
