import { ConciergeProblem, unwrap } from '@concierge/client'
import { aClient } from '#tests/helpers/clients'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { bodyOf } from './http_driver.ts'
import { type Operations, Refused } from './operations.ts'

export async function overClient(): Promise<Operations> {
  const { concierge } = aClient({ token: await issuer.token(SUPER_ADMIN) })
  const { api } = concierge

  const dataOf = async <T>(response: Parameters<typeof unwrap<{ data: T }>>[0]): Promise<T> => {
    try {
      return (await unwrap(response)).data
    } catch (error) {
      throw error instanceof ConciergeProblem ? new Refused(error.code) : error
    }
  }
  const permissionId = async (appCode: string, code: string) => {
    const path = '/api/applications/{appCode}/permissions'
    const all = await dataOf(api.GET(path, { params: { path: { appCode } } }))
    return all.find((each) => each.code === code)!.id
  }
  const roleId = async (appCode: string, code: string) => {
    const path = '/api/applications/{appCode}/roles'
    const all = await dataOf(api.GET(path, { params: { path: { appCode } } }))
    return all.find((each) => each.code === code)!.id
  }
  const TEMPLATES = '/api/admin/notifications/types/{appCode}/{type}/templates'
  const VERSION = '/api/admin/notifications/templates/{id}/locales/{locale}'

  return {
    createApplication: (code, name) =>
      dataOf(api.POST('/api/applications', { body: { code, name } })),
    showApplication: (appCode) =>
      dataOf(api.GET('/api/applications/{appCode}', { params: { path: { appCode } } })),
    async deleteApplication(appCode) {
      await unwrap(api.DELETE('/api/applications/{appCode}', { params: { path: { appCode } } }))
    },
    createPermission: (appCode, code, type) =>
      dataOf(
        api.POST('/api/applications/{appCode}/permissions', {
          params: { path: { appCode } },
          body: { code, type },
        })
      ),
    createRole: (appCode, code) =>
      dataOf(
        api.POST('/api/applications/{appCode}/roles', {
          params: { path: { appCode } },
          body: { code },
        })
      ),
    async setRolePermissions(appCode, role, levels) {
      const permissions = await Promise.all(
        Object.entries(levels).map(async ([code, accessLevel]) => ({
          permissionId: await permissionId(appCode, code),
          accessLevel,
        }))
      )
      const path = { appCode, roleId: await roleId(appCode, role) }
      await dataOf(
        api.PUT('/api/applications/{appCode}/roles/{roleId}/permissions', {
          params: { path },
          body: { permissions },
        })
      )
    },
    async giveRole(email, appCode, role) {
      const body = { roleIds: [await roleId(appCode, role)] }
      const params = { path: { email, appCode } }
      await dataOf(api.PUT('/api/users/{email}/apps/{appCode}/roles', { params, body }))
    },
    async deny(email, appCode, permission, { type: resourceType, id: resourceId }) {
      const denied = { permissionId: await permissionId(appCode, permission), granted: false }
      await dataOf(
        api.PUT(
          '/api/users/{email}/apps/{appCode}/resources/{resourceType}/{resourceId}/permissions',
          {
            params: { path: { email, appCode, resourceType, resourceId } },
            body: { permissions: [denied] },
          }
        )
      )
    },
    check: (question) => concierge.may(question),
    explain: (question) => dataOf(api.POST('/api/check/explain', { body: bodyOf(question) })),
    async saveTexts(appCode, { type, template, locale, subject, body }) {
      const { id } = await dataOf(
        api.POST(TEMPLATES, {
          params: { path: { appCode, type } },
          body: { key: template, name: template },
        })
      )
      const version = { subjectTemplate: subject, bodyTemplate: body }
      await dataOf(api.PUT(VERSION, { params: { path: { id, locale } }, body: version }))
    },
    async preview(appCode, { type, template, locale }, data) {
      const all = await dataOf(api.GET(TEMPLATES, { params: { path: { appCode, type } } }))
      const { id } = all.find(({ key }) => key === template)!
      const params = { path: { id, locale } }
      return dataOf(api.POST(`${VERSION}/preview`, { params, body: { data } }))
    },
    notify: (recipientEmail, appCode, type, data) =>
      concierge.notify({ recipientEmail, appCode, type, data }),
    log: (appCode) =>
      dataOf(api.GET('/api/admin/notifications/log/{appCode}', { params: { path: { appCode } } })),
    clearCaches: () =>
      dataOf(api.POST('/api/check/cache/clear', { params: { query: { everywhere: 'true' } } })),
  }
}
