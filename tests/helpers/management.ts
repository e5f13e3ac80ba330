import type { ApiClient } from '@japa/api-client'
import { superAdmin, uniqueCode } from '#tests/helpers/people'
import { WEBHOOK_SECRET } from '#tests/world/prepare'

/** See conventions.md#timestamps. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const inPath = encodeURIComponent

/** Sets up an application through its endpoints, as a super admin. */
export function manageApplication(client: ApiClient, appCode: string) {
  const admin = superAdmin(client)
  const application = `/api/applications/${appCode}`
  const user = (email: string) => `/api/users/${inPath(email)}/apps/${appCode}`

  const create = async (path: string, body: object) => {
    const response = await admin.post(path, body)
    response.assertStatus(201)
    return response.body().data
  }
  const replace = async (path: string, body: object) => {
    const response = await admin.put(path, body)
    response.assertStatus(200)
    return response.body().data
  }

  return {
    permission: (fields: object = {}) =>
      create(`${application}/permissions`, { code: uniqueCode('p'), type: 'binary', ...fields }),
    role: (fields: object = {}) =>
      create(`${application}/roles`, { code: uniqueCode('role'), ...fields }),
    entity: (fields: object = {}) =>
      create(`${application}/entities`, { code: uniqueCode('entity'), name: 'Entity', ...fields }),
    instance: (fields: object = {}) =>
      create(`${application}/instances`, {
        name: uniqueCode('instance'),
        baseUrl: 'https://shop.example',
        ...fields,
      }),
    rolePermissions: (roleId: number, permissions: object[]) =>
      replace(`${application}/roles/${roleId}/permissions`, { permissions }),
    userRoles: (email: string, roleIds: number[]) => replace(`${user(email)}/roles`, { roleIds }),
    temporaryRole: (email: string, roleId: number, validUntil: string) =>
      replace(`${user(email)}/roles`, { roles: [{ roleId, validUntil }] }),
    overrides: (email: string, [type, id]: [string, string], permissions: object[]) =>
      replace(overridesPath(email, appCode, type, id), { permissions }),
    administrator: (email: string) => create(`/api/users/admins/apps/${appCode}`, { email }),
  }
}

export const overridesPath = (email: string, appCode: string, type: string, id: string) =>
  `/api/users/${inPath(email)}/apps/${appCode}/resources/${inPath(type)}/${inPath(id)}/permissions`

/** Items of a list as they are returned one by one. */
export const withoutCounts = (items: Record<string, unknown>[]) =>
  items.map(({ userCount, permissionCount, roleCount, overrideCount, ...item }) => item)

export interface CheckBody {
  email: string
  app: string
  permission: string
  resourceType?: string
  resourceId?: string
  level?: string
}

export async function allowed(client: ApiClient, body: CheckBody): Promise<boolean> {
  const response = await client.post('/api/check').json(body)
  response.assertStatus(200)
  return response.body().data.allowed
}

export async function lifecycleEvent(client: ApiClient, eventType: string, email: string) {
  const response = await client
    .post('/api/idp/webhook')
    .header('x-webhook-secret', WEBHOOK_SECRET)
    .json({ eventType, orgId: 'org-of-tests', user: { email } })
  response.assertStatus(200)
}
