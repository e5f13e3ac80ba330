import type { ApiClient, ApiResponse } from '@japa/api-client'
import type Application from '#app/applications/models/application'
import { type Credentials, credentialsOf } from '#tests/access/callers'
import { bodyOf, kindOf } from '#tests/access/routes'
import { pathIn } from '#tests/access/scene'
import { CALLERS, type Caller } from '#tests/access/section_access'
import { anApplication } from '#tests/helpers/people'

const callers = Object.keys(CALLERS) as Caller[]
const DEACTIVATED: Caller[] = ['exEdit', 'exAdmin', 'exGlobal', 'exSuper']

interface Surroundings {
  client: ApiClient
  /** Where the items of entities are listed. */
  listEndpoint: string
}

interface Known {
  credentials: Credentials
  /** What paths have named for this caller. */
  named: Map<string, string | number>
}

interface Sending extends Surroundings, Known {
  application: Application
}

/** Shared by routes, because most requests are refused or only read. */
let unchanged: { application: Application; known: Map<Caller, Known> } | undefined

/** What each caller gets from a route. */
export async function tryCallers(route: string, surroundings: Surroundings) {
  const { client } = surroundings
  const outcomes: Record<string, string> = {}
  for (const caller of callers) {
    const { application, known } = (unchanged ??= {
      application: await anApplication(),
      known: new Map(),
    })
    const sender = known.get(caller) ?? {
      credentials: await credentialsOf(caller, application, client),
      named: new Map(),
    }
    known.set(caller, sender)
    const response = await send(route, { ...surroundings, application, ...sender })
    outcomes[caller] = outcomeOf(response, route, caller)
    // The next caller finds the application and the people as they were made.
    const isUnchanged = outcomes[caller] !== 'pass' || route.startsWith('GET ')
    if (!isUnchanged) unchanged = undefined
  }
  return outcomes
}

async function send(route: string, { client, application, ...rest }: Sending) {
  const { listEndpoint, named, credentials } = rest
  const { headers, email } = credentials
  const [method, pattern] = route.split(' ')
  const path = await pathIn({ client, application, email, listEndpoint, named }, pattern)
  const request = client.request(path, method).redirects(0)
  for (const [name, value] of Object.entries(headers)) request.header(name, value)
  const body = bodyOf(route, application.code)
  if (body === undefined) return request.send()
  if (body instanceof URLSearchParams) return request.form(Object.fromEntries(body)).send()
  return (method === 'GET' ? request.qs(body) : request.json(body)).send()
}

/**
 * `401` and `403` are problems of the guard. Everything that the request names exists, so a 404
 * means that it is hidden. What an endpoint does past its guard is tested elsewhere.
 */
function outcomeOf(response: ApiResponse, route: string, caller: Caller): string {
  const status = response.status()
  const unknown = kindOf(route) === 'signed' ? 'INVALID_SIGNATURE' : 'UNAUTHENTICATED'
  if (status === 401) response.assertProblem(401, unknown)
  if (status === 403) response.assertProblem(403, refusalOf(route, caller))
  const isPast = status < 500 && ![401, 403, 404, 405, 429].includes(status)
  return isPast ? 'pass' : String(status)
}

function refusalOf(route: string, caller: Caller): string {
  if (kindOf(route).endsWith('nternal')) return 'KEY_NOT_FOR_APPLICATION'
  if (kindOf(route) === 'authzen') return 'FORBIDDEN'
  return DEACTIVATED.includes(caller) ? 'USER_INACTIVE' : 'FORBIDDEN'
}
