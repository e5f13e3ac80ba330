import router from '@adonisjs/core/services/router'
import type { ApiClient } from '@japa/api-client'
import { transaction } from '#core/database/transaction'
import { createKey } from '#app/applications/actions/create_key'
import type Application from '#app/applications/models/application'
import { storeSigningKey } from '#app/identity_provider/signatures/store_signing_key'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import UserPool from '#app/platform/models/user_pool'
import { subscribe } from '#tests/helpers/deliveries'
import { aBroadcast } from '#tests/helpers/broadcasts'
import { aNotification } from '#tests/helpers/inbox'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { aBrand, aLanguage, uniqueLanguage } from '#tests/helpers/platform'
import type { Sender } from '#tests/helpers/send'
import { HOOK_KEY } from '#tests/helpers/signature'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { DKIM, SUPER_ADMIN } from '#tests/world/prepare'
import { Browser } from '#tests/world/push_service'

type Json = string | number | boolean | Json[] | { [key: string]: Json }

export interface WriteRoute {
  method: string
  pattern: string
  path: string
  /** A valid body; undefined if the route takes none. */
  body: { [key: string]: Json } | undefined
  /** A field whose items are validated one by one (notifications.md#bulk-sends). */
  itemwise: string | undefined
  sender: Sender
}

/** `:id@brand` fills the path parameter `id` with the parameter `brand`. */
type Row = [string, string, WriteRoute['body']?]

/** See RFC 8058. */
const FORM_ROUTE = 'POST /api/unsubscribe/:token'

const APPLICATION = {
  name: 'Shop',
  description: 'Sells',
  membership: 'open',
  outsideRecipients: false,
}

/** All writing routes with a valid path and body, for a new application. Deletions come last. */
export async function writeRoutes(client: ApiClient): Promise<WriteRoute[]> {
  const application = await anApplication()
  const { code: appCode } = application
  const manage = manageApplication(client, appCode)
  const [permission, role, entity, instance, { key }] = await Promise.all([
    manage.permission({ type: 'tiered' }),
    manage.role(),
    manage.entity({ code: 'document' }),
    manage.instance(),
    createKey(appCode, { name: 'Server' }),
  ])
  const notifications = await notificationsIn(application)
  const brand = await aBrand(client)
  const [language, pool] = await Promise.all([
    aLanguage(client),
    UserPool.create({ slug: uniqueCode('pool'), name: 'Pool' }),
  ])
  const administrator = uniqueEmail('administrator')
  const { email: recorded } = await ensureUser({ email: uniqueEmail('recorded') })
  const check = { app: appCode, permission: permission.code, resourceType: 'document' }
  const bulk = { app: appCode, permissions: [permission.code], resourceId: '7' }

  const rows: Row[] = [
    ['POST', '/api/check', { email: uniqueEmail(), ...check, resourceId: '7', level: 'view' }],
    ['POST', '/api/check/bulk', { email: uniqueEmail(), ...bulk, resourceType: 'document' }],
    ['POST', '/api/check/effective', { email: uniqueEmail(), app: appCode, resourceType: 'a' }],
    [
      'POST',
      '/api/check/explain',
      { email: uniqueEmail(), ...check, resourceId: '7', level: 'view' },
    ],
    ['POST', '/api/check/cache/clear'],
    [
      'POST',
      '/api/applications/:appCode/access/effective',
      { email: uniqueEmail(), resourceType: 'document', resourceId: '7' },
    ],
    [
      'POST',
      '/api/applications/:appCode/access/explain',
      {
        ...{ email: uniqueEmail(), permission: permission.code, level: 'view' },
        ...{ resourceType: 'document', resourceId: '7' },
      },
    ],
    ['POST', '/api/profile/me/check', { ...check, resourceId: '7', level: 'edit' }],
    ['POST', '/api/profile/me/check/bulk', { ...bulk, resourceType: 'document' }],
    ['POST', '/api/profile/me/check/explain', { ...check, resourceId: '7' }],
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
        eventId: uniqueCode('event'),
        user: {
          id: '300000000000000002',
          email: uniqueEmail(),
          firstName: 'Ada',
          lastName: 'King',
        },
      },
    ],
    ['POST', '/api/idp/notifications/email', await providerMessage(client)],
    [
      'PUT',
      '/api/internal/auth/registration-locale',
      { email: uniqueEmail(), orgId: '300000000000000001', locale: 'cs-CZ' },
    ],

    [
      'POST',
      '/api/applications',
      { code: uniqueCode(), supportedLanguages: ['en'], ...APPLICATION },
    ],
    ['PUT', '/api/applications/:appCode', { supportedLanguages: ['cs'], ...APPLICATION }],
    ['PUT', '/api/applications/:appCode/brands', { brands: ['default'] }],
    ['POST', '/api/applications/:appCode/entities', entityFields(uniqueCode('entity'))],
    ['PUT', '/api/applications/:appCode/entities/:id@entity', entityFields('document')],
    ['POST', '/api/applications/:appCode/instances', instanceFields(uniqueCode('instance'))],
    ['PUT', '/api/applications/:appCode/instances/:id@instance', instanceFields('production')],
    ['POST', '/api/applications/:appCode/instances/:id@instance/approve', instanceUrls()],

    [
      'POST',
      '/api/applications/:appCode/keys',
      { name: 'Server', expiresAt: '2099-01-01T00:00:00Z' },
    ],

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
    ['PUT', '/api/users/:email@recorded/identity', { idpUserId: '300000000000000003' }],
    ['PUT', '/api/users/:email@recorded/active', { active: false }],
    [
      'PUT',
      '/api/users/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions',
      { permissions: [{ permissionId: permission.id, granted: true, accessLevel: 'view' }] },
    ],

    ...notificationRows(appCode, notifications),
    ...platformRows(brand.id),
    ...identityProviderRows(appCode),

    ['DELETE', '/api/admin/user-pools/:id@pool'],
    ['DELETE', '/api/admin/languages/:code@language'],
    ['DELETE', '/api/admin/brands/:id@brand'],
    ['DELETE', '/api/profile/me/push/subscriptions/:id@subscription'],
    ...['internal', 'admin'].flatMap((side): Row[] => [
      ['DELETE', `/api/${side}/notifications/templates/:id@${side}/locales/:locale`],
      ['DELETE', `/api/${side}/notifications/templates/:id@${side}`],
    ]),
    ['DELETE', '/api/admin/notifications/types/:appCode/:type'],
    ['DELETE', '/api/users/admins/:email'],
    ['DELETE', '/api/users/admins/apps/:appCode/:email'],
    ['DELETE', '/api/applications/:appCode/keys/:id@key'],
    ['DELETE', '/api/applications/:appCode/instances/:id@instance'],
    ['DELETE', '/api/applications/:appCode/roles/:roleId'],
    ['DELETE', '/api/applications/:appCode/permissions/:permissionId'],
    ['DELETE', '/api/applications/:appCode/entities/:id@entity'],
    ['DELETE', '/api/applications/:appCode'],
  ]
  const parameters: Record<string, string | number> = {
    appCode,
    permissionId: permission.id,
    roleId: role.id,
    entity: entity.id,
    instance: instance.id,
    key: key.id,
    brand: brand.id,
    language: language.code,
    pool: pool.id,
    ...notifications,
    locale: 'en',
    orgId: '300000000000000001',
    email: administrator,
    recorded,
    resourceType: 'document',
    resourceId: '7',
  }
  return rows.map(([method, pattern, body]) => ({
    method,
    pattern: pattern.replace(/@\w+/, ''),
    path: pattern.replace(/:(\w+)(?:@(\w+))?/g, (_, name, source = name) =>
      encodeURIComponent(parameters[source])
    ),
    body,
    itemwise: pattern === '/api/internal/notifications/bulk' ? 'notifications' : undefined,
    sender: senderFor(pattern),
  }))
}

/** All writing routes with JSON or no body, as `METHOD pattern`. */
export function writingRoutesOfRouter(): string[] {
  return Object.values(router.toJSON())
    .flat()
    .flatMap(({ methods, pattern }) => methods.map((method) => `${method} ${pattern}`))
    .filter((route) => !/^(GET|HEAD) /.test(route) && route !== FORM_ROUTE)
}

async function notificationsIn(application: Application) {
  const [type, quiet] = await Promise.all([
    aType(application),
    aType(application, { emailEnabled: false, pushEnabled: false }),
  ])
  const [internal, admin, message] = await Promise.all([
    aTemplate(application, type, { key: 'internal' }),
    aTemplate(application, type, { key: 'admin' }),
    aTemplate(application, quiet),
  ])
  await Promise.all([internal, admin, message].map((template) => aVersion(template, 'en')))
  const [item, broadcast, subscription] = await Promise.all([
    aNotification(SUPER_ADMIN, { appCode: application.code }),
    aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' }),
    subscribe(SUPER_ADMIN, new Browser('https://push.example')),
  ])
  return {
    type: type.code,
    notificationTypeId: type.id,
    quiet: quiet.code,
    internal: internal.id,
    admin: admin.id,
    item: item.id,
    broadcast: broadcast.id,
    subscription: subscription.id,
  }
}

type Notifications = Awaited<ReturnType<typeof notificationsIn>>

function notificationRows(appCode: string, { quiet, notificationTypeId }: Notifications): Row[] {
  const message = {
    recipientEmail: uniqueEmail(),
    appCode,
    type: quiet,
    template: 'main',
    data: {},
    locale: 'cs',
  }
  const { endpoint, keys } = new Browser('https://push.example').subscription
  const types = '/api/admin/notifications/types/:appCode'
  return [
    ['POST', '/api/internal/notifications', message],
    ['POST', '/api/internal/notifications/bulk', { notifications: [message] }],

    ...broadcastRows(quiet),

    ['POST', types, { code: uniqueCode('type'), ...typeFields() }],
    ['PUT', `${types}/:type`, typeFields()],
    ...['internal', 'admin'].flatMap((side): Row[] => {
      const template = `/api/${side}/notifications/templates/:id@${side}`
      return [
        [
          'POST',
          `/api/${side}/notifications/types/:appCode/:type/templates`,
          { key: uniqueCode('template'), ...templateFields() },
        ],
        ['PUT', template, templateFields()],
        [
          'PUT',
          `${template}/locales/:locale`,
          { subjectTemplate: 'Hello {{name}}', bodyTemplate: '<p>Hello {{name}}</p>' },
        ],
      ]
    }),
    ['POST', '/api/admin/notifications/templates/:id@admin/locales/:locale/preview', { data: {} }],
    ['POST', '/api/admin/notifications/templates/:id@admin/locales/:locale/test', { data: {} }],

    [
      'PUT',
      '/api/profile/me/notifications/preferences/bulk',
      { updates: [{ notificationTypeId, email: false, push: true }] },
    ],
    [
      'PUT',
      '/api/profile/me/notifications/preferences/:notificationTypeId',
      { email: true, push: false },
    ],
    ['POST', '/api/profile/me/notifications/inbox/read-all', { appCode }],
    ['PATCH', '/api/profile/me/notifications/inbox/:id@item/read'],
    [
      'POST',
      '/api/profile/me/push/subscribe',
      { subscription: { endpoint, keys }, deviceLabel: 'Telephone' },
    ],
    ['POST', '/api/profile/me/push/unsubscribe', { endpoint }],
  ]
}

/** Never sent. */
function broadcastRows(type: string): Row[] {
  const broadcasts = '/api/admin/notifications/broadcast/:appCode'
  const body = {
    type,
    template: 'main',
    data: {},
    locale: 'cs',
    audience: { kind: 'emails', emails: [uniqueEmail()] },
    ratePerSecond: 10,
    scheduledAt: '2099-01-01T00:00:00Z',
  }
  return [
    ['POST', broadcasts, body],
    ...['pause', 'resume', 'cancel'].map((steering): Row => [
      'POST',
      `${broadcasts}/:id@broadcast/${steering}`,
    ]),
  ]
}

/** A message that is accepted even if parts are missing. */
async function providerMessage(client: ApiClient): Promise<WriteRoute['body']> {
  await transaction((trx) => storeSigningKey(HOOK_KEY, trx))
  const { idpOrgId } = await aBrand(client, { idpOrgId: uniqueCode('organisation') })
  return {
    contextInfo: {
      eventType: 'user.human.password.code.added',
      recipientEmailAddress: uniqueEmail(),
    },
    templateData: {
      title: 'Reset',
      subject: 'Reset your password',
      greeting: 'Hello Ada,',
      text: 'Your code is Q4MN8Z.',
      buttonText: 'Reset',
      url: `https://id.example/reset?code=Q4MN8Z&orgID=${idpOrgId}`,
      includeFooter: true,
      footerText: 'Acme',
    },
    args: { orgID: idpOrgId, code: 'Q4MN8Z', displayName: 'Ada King' },
  }
}

function platformRows(brandId: number): Row[] {
  const language = { name: 'A language', fallback: 'en', enabled: true }
  const poolFields = () => ({
    slug: uniqueCode('pool'),
    name: 'Pool',
    brandId,
    organisations: [uniqueCode('organisation')],
  })
  return [
    ['POST', '/api/admin/brands', brandFields()],
    ['PUT', '/api/admin/brands/:id@brand', brandFields()],
    ['POST', '/api/admin/languages', { code: uniqueLanguage(), ...language }],
    ['PUT', '/api/admin/languages/:code@language', language],
    ['POST', '/api/admin/user-pools', poolFields()],
    ['PUT', '/api/admin/user-pools/:id@pool', poolFields()],
  ]
}

function identityProviderRows(appCode: string): Row[] {
  const provider = '/api/idp/admin/notification-provider'
  return [
    ['POST', `${provider}/setup`, { rotate: false }],
    ['POST', `${provider}/activate`],
    ['POST', '/api/idp/admin/orgs', { name: 'Contoso', domain: 'contoso.example' }],
    [
      'PUT',
      '/api/idp/admin/orgs/:orgId/branding',
      { primaryColor: '#b00020', logoUrl: 'https://contoso.example/logo.png' },
    ],
    [
      'POST',
      '/api/idp/admin/orgs/:orgId/setup',
      {
        projectName: 'Fieldbook',
        appName: 'web',
        redirectUris: ['https://fieldbook.example/callback'],
        userApiAppCode: appCode,
      },
    ],
    ['POST', '/api/applications/:appCode/idp/sync'],
  ]
}

function typeFields() {
  return {
    name: 'Order shipped',
    description: 'Says where it is',
    emailEnabled: true,
    pushEnabled: true,
    userCanDisable: true,
    defaultEmail: true,
    defaultPush: false,
    selfServiceEnabled: true,
    emailFromName: 'The shop',
  }
}

function templateFields() {
  return {
    name: 'Main',
    description: 'The usual one',
    variables: [{ key: 'name', required: false }],
  }
}

function brandFields() {
  return {
    slug: uniqueCode('brand'),
    name: 'Brand',
    idpOrgId: uniqueCode('organisation'),
    isDefault: false,
    emailFrom: 'shop@acme.example',
    emailFromName: 'Shop',
    replyTo: 'help@acme.example',
    smtp: { host: 'mail.acme.example', port: 587, secure: false, user: 'shop', password: 'secret' },
    dkim: { domain: 'acme.example', selector: 's1', privateKey: DKIM.privateKey },
    appearance: {
      primaryColor: '#112233',
      backgroundColor: '#ffffff',
      fontColor: '#000',
      logoUrl: 'https://acme.example/logo.png',
      iconUrl: 'https://acme.example/icon.png',
    },
  }
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
  return { name, ...instanceUrls() }
}

function instanceUrls() {
  return {
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
  if (pattern.startsWith('/api/idp/notifications')) return 'hook'
  if (/^\/api\/check($|\/)/.test(pattern)) return 'network'
  return 'token'
}
