import type { ApiClient } from '@japa/api-client'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { serviceUrl } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'

/** Listed in `AUTHZEN_CLIENTS` of the tests: a `sub`, and a `client_id` or `azp`. */
export const GATEWAY = 'the-gateway'
export const GATEWAY_CLIENT = 'gateway-client'

/** A token as machine users have it: without an address. */
export function machineToken(claims: Record<string, unknown> = {}) {
  const nobody = { email: undefined, email_verified: undefined }
  return issuer.token('', { claims: { ...nobody, sub: GATEWAY, ...claims } })
}

/** What a client receives. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  /** Undefined if the body is not JSON. */
  json: any
}

export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {}
): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return answerOf(response)
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const json = isJson ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, json }
}

export const decisionPoint = (appCode: string, url = serviceUrl()) =>
  `${url}/api/authzen/${appCode}`

/** Sends a request to an endpoint of an application, such as `evaluation`. */
export const ask = (
  appCode: string,
  endpoint: string,
  body: unknown,
  headers?: Record<string, string>
) => post(`${decisionPoint(appCode)}/access/v1/${endpoint}`, body, headers)

/** An application with the entity `record` and someone who may `read`. */
export async function aDecisionPoint(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const entity = await manage.entity({ code: 'record' })
  const read = await manage.permission({ code: 'read' })
  const role = await manage.role()
  await manage.rolePermissions(role.id, [{ permissionId: read.id, accessLevel: 'allowed' }])
  const email = uniqueEmail()
  await manage.userRoles(email, [role.id])
  const request = {
    subject: { type: 'user', id: email },
    action: { name: 'read' },
    resource: { type: 'record', id: 'record-1' },
  }
  return { code, manage, entity, read, role, email, request }
}

/** Binds a record by a verified token, and returns the `sub`. */
export async function bound(client: ApiClient, email: string, sub = uniqueCode('sub')) {
  const response = await signedIn(client, email, { claims: { sub } }).get('/api/profile/me')
  response.assertStatus(200)
  return sub
}

export async function saveResources(
  client: ApiClient,
  appCode: string,
  entityId: number,
  resources: object[]
) {
  const path = `/api/applications/${appCode}/entities/${entityId}/resources`
  const response = await superAdmin(client).put(path, { resources })
  response.assertStatus(200)
}
