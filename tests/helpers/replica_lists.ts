import router from '@adonisjs/core/services/router'
import { inPath } from '#tests/helpers/management'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import type { Remote } from '#tests/helpers/remote'

const isGuard = (guard: object, name: string) => 'name' in guard && guard.name === name

/** The patterns of all routes of lists that a replica may answer. */
export function replicaLists(): string[] {
  return Object.values(router.toJSON())
    .flat()
    .filter(({ methods }) => methods.includes('GET'))
    .filter(({ middleware }) => [...middleware.all()].some((one) => isGuard(one, 'freshness')))
    .map(({ pattern }) => pattern)
}

/** An application with something in each of these lists, and the path of a list in it. */
export async function aListedApplication(at: Remote) {
  const [app, email] = [uniqueCode(), uniqueEmail()]
  const tree = `/api/applications/${app}`
  await at.post('/api/applications', { code: app, name: app })
  const permission = await at.post(`${tree}/permissions`, { code: 'p', type: 'binary' })
  const role = await at.post(`${tree}/roles`, { code: 'clerk' })
  const permissions = [{ permissionId: permission.id, accessLevel: 'allowed' }]
  await at.put(`${tree}/roles/${role.id}/permissions`, { permissions })
  await at.put(`/api/users/${inPath(email)}/apps/${app}/roles`, { roleIds: [role.id] })
  await at.webhook('user.created', email)
  const entity = await at.post(`${tree}/entities`, { code: 'order', name: 'Order' })
  const webhook = await at.post(`${tree}/webhooks`, {
    url: 'https://example.com/hook',
    events: ['user.erased'],
  })
  const template = await at.post(`/api/admin/notifications/types/${app}/generic/templates`, {
    key: 'other',
    name: 'Other',
  })
  const broadcast = await at.post(`/api/admin/notifications/broadcast/${app}`, {
    type: 'generic',
    audience: { kind: 'emails', emails: [email] },
    data: { subject: 'Subject', text: 'Text' },
    scheduledAt: '2090-01-01T00:00:00Z',
  })
  const ids: [RegExp, string | number][] = [
    [/(?<=entities\/):id/, entity.id],
    [/(?<=entities\/):code/, 'order'],
    [/(?<=webhooks\/):id/, webhook.id],
    [/(?<=templates\/):id/, template.id],
    [/(?<=broadcast\/:appCode\/):id/, broadcast.id],
    [/:roleId/, role.id],
    [/:locale/, 'en'],
    [/:type/, 'generic'],
    [/:email/, inPath(email)],
    [/:appCode/, app],
  ]
  const pathOf = (pattern: string) => {
    const path = ids.reduce((text, [name, id]) => text.replace(name, String(id)), pattern)
    return pattern === '/api/internal/notifications/types' ? `${path}?appCode=${app}` : path
  }
  return { app, email, tree, role, pathOf }
}
