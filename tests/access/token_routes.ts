import type { ApiClient, ApiResponse } from '@japa/api-client'
import { ROUTES, bodyOf, kindOf } from '#tests/access/routes'

const WITHOUT_TOKEN = [
  'anyone',
  'internal',
  'ownInternal',
  'anyInternal',
  'provider',
  'signed',
  'authzen',
]

/** As `METHOD pattern`. */
export const TOKEN_ROUTES = Object.keys(ROUTES).filter(
  (route) => !WITHOUT_TOKEN.includes(kindOf(route))
)

/** Reading one's profile and checks. */
export const OPEN_TO_INACTIVE = TOKEN_ROUTES.filter((route) => kindOf(route) === 'own')

/** Uses made-up ids, because guards run before any lookup. */
export function askWithToken(
  client: ApiClient,
  route: string,
  token: string
): Promise<ApiResponse> {
  const [method, pattern] = route.split(' ')
  const path = pattern.replace(':email', 'nobody@tests.example').replaceAll(/:[a-z]+/gi, '1')
  const request = client.request(path, method).header('authorization', `Bearer ${token}`)
  const body = bodyOf(route, 'none-such')
  return (method === 'GET' ? request : request.json(body ?? {})).send()
}
