import router from '@adonisjs/core/services/router'
import type { ApiClient } from '@japa/api-client'
import { managing } from '#tests/helpers/management'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import type { Sender } from '#tests/helpers/send'

type Json = string | number | boolean | Json[] | { [key: string]: Json }

export interface WriteRoute {
  method: string
  pattern: string
  path: string
  /** A body the route accepts; undefined where it takes none. */
  body: { [key: string]: Json } | undefined
  sender: Sender
}

/**
 * Every route that changes something, with a path and a body that it accepts, for an application made for it. What
 * deletes stands last.
 */
export async function writeRoutes(client: ApiClient): Promise<WriteRoute[]> {
  const { code: appCode } = await anApplication()
  const manage = managing(client, appCode)
  const [permission, role, entity, instance] = await Promise.all([
    manage.permission({ type: 'tiered' }),
    manage.role(),
    manage.entity({ code: 'document' }),
    manage.instance(),
  ])
  const administrator = uniqueEmail('administrator')
  const check = { app: appCode, permission: permission.code, resourceType: 'document' }
  const bulk = { app: appCode, permissions: [permission.code], resourceId: '7' }

  const rows: [string, string, WriteRoute['body']?][] = [
    ['POST', '/api/check', { email: uniqueEmail(), ...check, resourceId: '7', level: 'view' }],
    ['POST', '/api/check/bulk', { email: uniqueEmail(), ...bulk, resourceType: 'document' }],
    ['POST', '/api/check/effective', { email: uniqueEmail(), app: appCode, resourceType: 'a' }],
    ['POST', '/api/check/cache/clear'],
    ['POST', '/api/profile/me/check', { ...check, resourceId: '7', level: 'edit' }],
    ['POST', '/api/profile/me/check/bulk', { ...bulk, resourceType: 'document' }],
    ['POST', '/api/profile/me/check/effective', { app: appCode, resourceId: '7' }],

    [
      'PUT',
      '/api/profile/me',
      {
        firstName: 'Ada',
        lastName: 'King',
        displayName: 'Ada King',
        avatarUrl: 'https://pictures.example/ada.png',
        locale: 'cs',
        theme: 'dark',
        timezone: 'Europe/Prague',
        brand: 'default',
      },
    ],
    ['PUT', '/api/profile/me/apps/:appCode', { showHelp: false, notificationsEnabled: true }],
    ['POST', '/api/profile/me/apps/:appCode/activity'],
    ['POST', '/api/profile/me/apps/:appCode/logout'],
    [
      'POST',
      '/api/internal/auth/application-events',
      { email: uniqueEmail(), appCode, event: 'login' },
    ],
    [
      'PUT',
      '/api/internal/auth/profile-sync',
      {
        email: uniqueEmail(),
        firstName: 'Ada',
        lastName: 'King',
        displayName: 'Ada King',
        changedAt: '2026-03-01T10:00:00Z',
      },
    ],
    [
      'POST',
      '/api/idp/webhook',
      {
        eventType: 'user.created',
        orgId: '300000000000000001',
        occurredAt: '2026-03-01T10:00:00Z',
        user: {
          id: '300000000000000002',
          email: uniqueEmail(),
          firstName: 'Ada',
          lastName: 'King',
        },
      },
    ],

    [
      'POST',
      '/api/applications',
      { code: uniqueCode(), name: 'Shop', description: 'Sells', supportedLanguages: ['en'] },
    ],
    [
      'PUT',
      '/api/applications/:appCode',
      { name: 'Shop', description: 'Sells', supportedLanguages: ['cs'] },
    ],
    ['PUT', '/api/applications/:appCode/brands', { brands: ['default'] }],
    ['POST', '/api/applications/:appCode/entities', entityFields(uniqueCode('entity'))],
    ['PUT', '/api/applications/:appCode/entities/:entityId', entityFields('document')],
    ['POST', '/api/applications/:appCode/instances', instanceFields(uniqueCode('instance'))],
    ['PUT', '/api/applications/:appCode/instances/:instanceId', instanceFields('production')],

    ['POST', '/api/applications/:appCode/permissions', permissionFields(uniqueCode('p'))],
    ['PUT', '/api/applications/:appCode/permissions/:permissionId', permissionFields('p.first')],
    [
      'POST',
      '/api/applications/:appCode/roles',
      { code: uniqueCode('role'), description: 'Sells' },
    ],
    ['PUT', '/api/applications/:appCode/roles/:roleId', { code: 'seller', description: 'Sells' }],
    [
      'PUT',
      '/api/applications/:appCode/roles/:roleId/permissions',
      { permissions: [{ permissionId: permission.id, accessLevel: 'view' }] },
    ],
    ['POST', '/api/users/admins', { email: administrator }],
    ['POST', '/api/users/admins/apps/:appCode', { email: administrator }],
    ['PUT', '/api/users/:email/apps/:appCode/roles', { roleIds: [role.id] }],
    [
      'PUT',
      '/api/users/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions',
      { permissions: [{ permissionId: permission.id, granted: true, accessLevel: 'view' }] },
    ],

    ['DELETE', '/api/users/admins/:email'],
    ['DELETE', '/api/users/admins/apps/:appCode/:email'],
    ['DELETE', '/api/applications/:appCode/instances/:instanceId'],
    ['DELETE', '/api/applications/:appCode/roles/:roleId'],
    ['DELETE', '/api/applications/:appCode/permissions/:permissionId'],
    ['DELETE', '/api/applications/:appCode/entities/:entityId'],
    ['DELETE', '/api/applications/:appCode'],
  ]
  const parameters: Record<string, string | number> = {
    appCode,
    permissionId: permission.id,
    roleId: role.id,
    entityId: entity.id,
    instanceId: instance.id,
    email: administrator,
    resourceType: 'document',
    resourceId: '7',
  }
  return rows.map(([method, pattern, body]) => ({
    method,
    pattern: pattern.replace(/:(entity|instance)Id/, ':id'),
    path: pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(parameters[name])),
    body,
    sender: senderFor(pattern),
  }))
}

/** The writing routes of the application, as `METHOD pattern`. */
export function writingRoutesOfRouter(): string[] {
  return Object.values(router.toJSON())
    .flat()
    .flatMap(({ methods, pattern }) => methods.map((method) => `${method} ${pattern}`))
    .filter((route) => !/^(GET|HEAD) /.test(route))
}

function entityFields(code: string) {
  return {
    code,
    name: 'Document',
    description: 'On paper',
    idLabel: 'Number',
    listEndpoint: 'https://documents.example/list',
  }
}

function instanceFields(name: string) {
  return {
    name,
    baseUrl: 'https://shop.example',
    callbackUrls: ['https://shop.example/callback'],
    postLogoutUrls: ['https://shop.example/bye'],
  }
}

function permissionFields(code: string) {
  return { code, type: 'tiered', description: 'Reads', groupName: 'Documents', global: false }
}

function senderFor(pattern: string): Sender {
  if (pattern.startsWith('/api/internal/')) return 'internal'
  if (pattern.startsWith('/api/idp/webhook')) return 'webhook'
  if (/^\/api\/check($|\/)/.test(pattern)) return 'network'
  return 'token'
}
