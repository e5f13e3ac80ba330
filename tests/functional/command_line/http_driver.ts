import { serviceUrl } from '#tests/helpers/send'
import { INTERNAL_KEY, SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { type Operations, type Question, Refused } from './operations.ts'

export async function overHttp(): Promise<Operations> {
  const authorization = `Bearer ${await issuer.token(SUPER_ADMIN)}`

  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${serviceUrl()}/api${path}`, {
      method,
      headers: {
        authorization,
        'x-internal-api-key': INTERNAL_KEY,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
    if (response.status === 204) return undefined as T
    const result = (await response.json()) as { code: string; data: T }
    if (!response.ok) throw new Refused(result.code)
    return result.data
  }
  const idOf = async (path: string, field: string, value: string) => {
    const all = await send<(Record<string, unknown> & { id: number })[]>('GET', path)
    return all.find((each) => each[field] === value)!.id
  }
  const person = (email: string, app: string) => `/users/${encodeURIComponent(email)}/apps/${app}`
  const templatesOf = (app: string, type: string) =>
    `/admin/notifications/types/${app}/${type}/templates`

  return {
    createApplication: (code, name) => send('POST', '/applications', { code, name }),
    showApplication: (code) => send('GET', `/applications/${code}`),
    deleteApplication: (code) => send('DELETE', `/applications/${code}`),
    createPermission: (app, code, type) =>
      send('POST', `/applications/${app}/permissions`, { code, type }),
    createRole: (app, code) => send('POST', `/applications/${app}/roles`, { code }),
    async setRolePermissions(app, role, levels) {
      const permissions = await Promise.all(
        Object.entries(levels).map(async ([code, accessLevel]) => ({
          permissionId: await idOf(`/applications/${app}/permissions`, 'code', code),
          accessLevel,
        }))
      )
      const roleId = await idOf(`/applications/${app}/roles`, 'code', role)
      await send('PUT', `/applications/${app}/roles/${roleId}/permissions`, { permissions })
    },
    async giveRole(email, app, role) {
      const roleIds = [await idOf(`/applications/${app}/roles`, 'code', role)]
      await send('PUT', `${person(email, app)}/roles`, { roleIds })
    },
    async deny(email, app, permission, { type, id }) {
      const permissionId = await idOf(`/applications/${app}/permissions`, 'code', permission)
      const path = `${person(email, app)}/resources/${type}/${id}/permissions`
      await send('PUT', path, { permissions: [{ permissionId, granted: false }] })
    },
    check: async (question) => (await send<Verdict>('POST', '/check', bodyOf(question))).allowed,
    explain: (question) => send('POST', '/check/explain', bodyOf(question)),
    async saveTexts(app, { type, template, locale, subject, body }) {
      const created = await send<{ id: number }>('POST', templatesOf(app, type), {
        key: template,
        name: template,
      })
      const version = { subjectTemplate: subject, bodyTemplate: body }
      await send('PUT', `/admin/notifications/templates/${created.id}/locales/${locale}`, version)
    },
    async preview(app, { type, template, locale }, data) {
      const id = await idOf(templatesOf(app, type), 'key', template)
      const path = `/admin/notifications/templates/${id}/locales/${locale}/preview`
      return send('POST', path, { data })
    },
    notify: (recipientEmail, appCode, type, data) =>
      send('POST', '/internal/notifications', { recipientEmail, appCode, type, data }),
    log: (app) => send('GET', `/admin/notifications/log/${app}`),
    clearCaches: () => send('POST', '/check/cache/clear?everywhere=true'),
  }
}

interface Verdict {
  allowed: boolean
}

export function bodyOf({ resource, ...question }: Question) {
  return {
    ...question,
    ...(resource && { resourceType: resource.type, resourceId: resource.id }),
  }
}
