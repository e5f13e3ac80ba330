import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { uniqueLanguage } from '#tests/helpers/platform'
import { Browser } from '#tests/world/push_service'

/**
 * Who may call what (authentication.md#access-requirements). A column is what endpoints ask for:
 *
 * - `anybody` nothing
 * - `internal` the platform's internal key, `ownInternal` that or a key of the application that the
 *   request names, `anyInternal` that or a key of any application
 * - `provider` the webhook secret, `signed` a signature over the body (which no caller here has: its
 *   own tests have)
 * - `own` any valid token, `person` one of somebody who is not deactivated, which all others need too
 * - `view`, `edit` that panel level on the application in the path
 * - `tplView`, `tplEdit` that level on the application of the template in the path, which those without any level are
 *   not to know of
 * - `panel` any panel level, `users` the right to read users, `global` a global panel admin, `super` a super admin
 *
 * A row is what a caller gets: 401, 403, 404 or past the guard. `key` is the platform's internal key;
 * `ownKey`, `otherKey` are keys of the application and of another one; `exKey` one that has expired.
 * Callers with a token are people with these rights and no others:
 *
 * - `manager` the role `application_manager` alone
 * - `override` `edit` on the application through an override, without that role
 * - `view`, `edit` that level on the application through an override, with the role
 * - `otherAdmin`, `admin` administrator of another application, of the application
 * - `global` the role `panel_admin`
 * - `exEdit`, `exAdmin`, `exGlobal`, `exSuper` as above, with a user record that was deactivated
 */
// prettier-ignore
export const CALLERS = {
  //          anybody internal ownInternal anyInternal provider signed own   person view edit tplView tplEdit panel users global super
  nobody:    'pass    401      401         401         401      401    401   401    401  401  401     401     401   401   401    401',
  garbage:   'pass    401      401         401         401      401    401   401    401  401  401     401     401   401   401    401',
  key:       'pass    pass     pass        pass        401      401    401   401    401  401  401     401     401   401   401    401',
  wrongKey:  'pass    401      401         401         401      401    401   401    401  401  401     401     401   401   401    401',
  ownKey:    'pass    403      pass        pass        401      401    401   401    401  401  401     401     401   401   401    401',
  otherKey:  'pass    403      403         pass        401      401    401   401    401  401  401     401     401   401   401    401',
  exKey:     'pass    401      401         401         401      401    401   401    401  401  401     401     401   401   401    401',
  hook:      'pass    401      401         401         pass     401    401   401    401  401  401     401     401   401   401    401',
  user:      'pass    401      401         401         401      401    pass  pass   403  403  404     404     403   403   403    403',
  manager:   'pass    401      401         401         401      401    pass  pass   403  403  404     404     403   403   403    403',
  override:  'pass    401      401         401         401      401    pass  pass   403  403  404     404     403   403   403    403',
  otherAdmin:'pass    401      401         401         401      401    pass  pass   403  403  404     404     pass  pass  403    403',
  view:      'pass    401      401         401         401      401    pass  pass   pass 403  pass    403     pass  403   403    403',
  edit:      'pass    401      401         401         401      401    pass  pass   pass pass pass    pass    pass  403   403    403',
  admin:     'pass    401      401         401         401      401    pass  pass   pass pass pass    pass    pass  pass  403    403',
  global:    'pass    401      401         401         401      401    pass  pass   pass pass pass    pass    pass  pass  pass   403',
  super:     'pass    401      401         401         401      401    pass  pass   pass pass pass    pass    pass  pass  pass   pass',
  exEdit:    'pass    401      401         401         401      401    pass  403    403  403  403     403     403   403   403    403',
  exAdmin:   'pass    401      401         401         401      401    pass  403    403  403  403     403     403   403   403    403',
  exGlobal:  'pass    401      401         401         401      401    pass  403    403  403  403     403     403   403   403    403',
  exSuper:   'pass    401      401         401         401      401    pass  403    403  403  403     403     403   403   403    403',
} as const

const KINDS = [
  ...(['anybody', 'internal', 'ownInternal', 'anyInternal'] as const),
  ...(['provider', 'signed', 'own', 'person'] as const),
  ...(['view', 'edit', 'tplView', 'tplEdit'] as const),
  ...(['panel', 'users', 'global', 'super'] as const),
]

export type Caller = keyof typeof CALLERS
type Kind = (typeof KINDS)[number]
/** What a request carries: the query of a GET, a form, else JSON. */
type Body = (appCode: string) => object
type Row = Kind | [Kind, Body]

const check: Body = (app) => ({ app, email: uniqueEmail(), permission: 'read' })
const bulk: Body = (app) => ({ app, email: uniqueEmail(), permissions: ['read'] })
const email: Body = () => ({ email: uniqueEmail() })
const coded: Body = () => ({ code: uniqueCode(), name: 'Named' })
const named: Body = () => ({ name: 'Renamed' })
const none: Body = () => ({ permissions: [] })
const slugged: Body = () => ({ slug: uniqueCode(), name: 'Named' })
const keyed: Body = () => ({ key: uniqueCode(), name: 'Named' })
const texts: Body = () => ({ subjectTemplate: 'Hello', bodyTemplate: '<p>Hello</p>' })
const data: Body = () => ({ data: {} })
const message: Body = (appCode) => ({ recipientEmail: uniqueEmail(), appCode, type: 'none-such' })
const broadcast: Body = () => ({
  type: 'generic',
  data: { subject: 'News', body: 'Something new' },
  audience: { kind: 'emails', emails: [uniqueEmail()] },
  scheduledAt: '2099-01-01T00:00:00Z',
})
const subscription: Body = () => ({
  subscription: new Browser('https://push.example').subscription,
})

/** Every route of the service, with a body that a caller past the guard can send. */
export const ROUTES: Record<string, Row> = {
  'GET /api/health/live': 'anybody',
  'GET /api/health/ready': 'anybody',
  'GET /api/openapi.json': 'anybody',
  'GET /metrics': 'anybody',
  'GET /docs': 'anybody',
  'GET /docs/scalar.js': 'anybody',
  'GET /docs/start.js': 'anybody',
  'GET /docs/errors/:code': 'anybody',

  'GET /api/idp/health': 'anybody',
  'GET /api/idp/discovery': 'anybody',
  'GET /api/idp/login': 'anybody',
  'GET /api/idp/callback': 'anybody',
  'POST /api/idp/notifications/email': 'signed',
  'POST /api/idp/webhook': ['provider', () => ({ eventType: 'user.created', user: email('') })],

  'GET /api/idp/admin/notification-provider': 'super',
  'POST /api/idp/admin/notification-provider/setup': 'super',
  'POST /api/idp/admin/notification-provider/activate': 'super',
  'GET /api/idp/admin/orgs': 'super',
  'POST /api/idp/admin/orgs': ['super', () => ({ name: 'Contoso', domain: 'contoso.example' })],
  'PUT /api/idp/admin/orgs/:orgId/branding': ['super', () => ({ primaryColor: '#b00020' })],
  'POST /api/idp/admin/orgs/:orgId/setup': [
    'super',
    (userApiAppCode) => ({
      projectName: 'Fieldbook',
      appName: 'web',
      redirectUris: ['https://fieldbook.example/callback'],
      userApiAppCode,
    }),
  ],
  'POST /api/applications/:appCode/idp/sync': 'edit',

  'POST /api/check': ['anybody', check],
  'POST /api/check/bulk': ['anybody', bulk],
  'POST /api/check/effective': ['anybody', check],
  'POST /api/check/explain': ['anybody', check],
  'POST /api/check/cache/clear': 'anybody',

  'POST /api/internal/auth/application-events': [
    'ownInternal',
    (appCode) => ({ appCode, email: uniqueEmail(), event: 'login' }),
  ],
  'PUT /api/internal/auth/profile-sync': ['internal', email],
  'PUT /api/internal/auth/registration-locale': [
    'internal',
    () => ({ email: uniqueEmail(), orgId: 'organisation', locale: 'cs' }),
  ],

  'GET /api/profile/me': 'own',
  'PUT /api/profile/me': ['person', () => ({ theme: 'dark' })],
  'GET /api/profile/me/admin-status': 'person',
  'POST /api/profile/me/check': ['own', check],
  'POST /api/profile/me/check/bulk': ['own', bulk],
  'POST /api/profile/me/check/effective': ['own', check],
  'POST /api/profile/me/check/explain': ['own', check],
  'GET /api/profile/me/apps': 'person',
  'GET /api/profile/me/apps/:appCode': 'person',
  'PUT /api/profile/me/apps/:appCode': ['person', () => ({ showHelp: false })],
  'POST /api/profile/me/apps/:appCode/activity': 'person',
  'POST /api/profile/me/apps/:appCode/logout': 'person',
  'GET /api/profile/:email': 'users',

  'GET /api/applications': 'person',
  'POST /api/applications': ['global', coded],
  'GET /api/applications/:appCode': 'view',
  'PUT /api/applications/:appCode': ['edit', named],
  'DELETE /api/applications/:appCode': 'global',
  'GET /api/applications/:appCode/i18n/:locale': 'person',
  'GET /api/applications/:appCode/login-records': 'view',

  'GET /api/applications/:appCode/brands': 'view',
  'PUT /api/applications/:appCode/brands': ['edit', () => []],
  'GET /api/applications/:appCode/entities': 'view',
  'POST /api/applications/:appCode/entities': ['edit', coded],
  'GET /api/applications/:appCode/entities/:id': 'view',
  'PUT /api/applications/:appCode/entities/:id': ['edit', named],
  'DELETE /api/applications/:appCode/entities/:id': 'edit',
  'GET /api/applications/:appCode/entities/:entityCode/items': 'view',
  'GET /api/applications/:appCode/instances': 'view',
  'POST /api/applications/:appCode/instances': [
    'edit',
    () => ({ name: 'Shop', baseUrl: 'https://shop.example' }),
  ],
  'PUT /api/applications/:appCode/instances/:id': ['edit', named],
  'DELETE /api/applications/:appCode/instances/:id': 'edit',
  'POST /api/applications/:appCode/instances/:id/approve': 'super',
  'GET /api/applications/:appCode/keys': 'edit',
  'POST /api/applications/:appCode/keys': ['edit', () => ({ name: 'Server' })],
  'DELETE /api/applications/:appCode/keys/:id': 'edit',

  'GET /api/applications/:appCode/assignments': 'view',
  'POST /api/applications/:appCode/access/effective': ['view', check],
  'POST /api/applications/:appCode/access/explain': ['view', check],

  'GET /api/applications/:appCode/permissions': 'view',
  'POST /api/applications/:appCode/permissions': [
    'edit',
    () => ({ code: uniqueCode(), type: 'binary' }),
  ],
  'GET /api/applications/:appCode/permissions/:permissionId': 'view',
  'PUT /api/applications/:appCode/permissions/:permissionId': ['edit', coded],
  'DELETE /api/applications/:appCode/permissions/:permissionId': 'edit',
  'GET /api/applications/:appCode/roles': 'view',
  'POST /api/applications/:appCode/roles': ['edit', coded],
  'GET /api/applications/:appCode/roles/:roleId': 'view',
  'PUT /api/applications/:appCode/roles/:roleId': ['edit', coded],
  'DELETE /api/applications/:appCode/roles/:roleId': 'edit',
  'GET /api/applications/:appCode/roles/:roleId/permissions': 'view',
  'PUT /api/applications/:appCode/roles/:roleId/permissions': ['edit', none],

  'GET /api/users': 'users',
  'GET /api/users/:email': 'users',
  'GET /api/users/:email/login-records': 'users',
  'PUT /api/users/:email/identity': ['super', () => ({ idpUserId: null })],
  'PUT /api/users/:email/active': ['super', () => ({ active: true })],
  'GET /api/users/:email/apps/:appCode/roles': 'view',
  'PUT /api/users/:email/apps/:appCode/roles': ['edit', () => ({ roleIds: [] })],
  'GET /api/users/:email/apps/:appCode/resources': 'view',
  'GET /api/users/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions': 'view',
  'PUT /api/users/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions': [
    'edit',
    none,
  ],

  'GET /api/users/admins': 'super',
  'POST /api/users/admins': ['super', email],
  'DELETE /api/users/admins/:email': 'super',
  'GET /api/users/admins/apps/:appCode': 'view',
  'POST /api/users/admins/apps/:appCode': ['edit', email],
  'DELETE /api/users/admins/apps/:appCode/:email': 'edit',

  'GET /api/profile/me/notifications/:appCode': 'person',
  'PUT /api/profile/me/notifications/preferences/bulk': ['person', () => ({ updates: [] })],
  'PUT /api/profile/me/notifications/preferences/:notificationTypeId': [
    'person',
    () => ({ email: false }),
  ],
  'GET /api/profile/me/notifications/inbox': 'person',
  'GET /api/profile/me/notifications/inbox/unread-count': 'person',
  'POST /api/profile/me/notifications/inbox/read-all': 'person',
  'PATCH /api/profile/me/notifications/inbox/:id/read': 'person',
  'GET /api/profile/me/push/vapid-key': 'person',
  'GET /api/profile/me/push/subscriptions': 'person',
  'POST /api/profile/me/push/subscribe': ['person', subscription],
  'POST /api/profile/me/push/unsubscribe': ['person', () => ({ endpoint: 'https://push.example' })],
  'DELETE /api/profile/me/push/subscriptions/:id': 'person',
  'GET /api/unsubscribe/:token': 'anybody',
  'POST /api/unsubscribe/:token': [
    'anybody',
    () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  ],

  'POST /api/internal/notifications': ['ownInternal', message],
  'POST /api/internal/notifications/bulk': [
    'anyInternal',
    (appCode) => ({ notifications: [message(appCode)] }),
  ],
  'GET /api/internal/notifications/types': ['ownInternal', (appCode) => ({ appCode })],
  'GET /api/internal/notifications/log/:email': 'anyInternal',
  'GET /api/internal/notifications/log/app/:appCode': 'ownInternal',
  'GET /api/internal/notifications/:id': 'ownInternal',
  'GET /api/internal/notifications/templates/:appCode': 'ownInternal',
  'PUT /api/internal/notifications/templates/:id': ['ownInternal', named],
  'DELETE /api/internal/notifications/templates/:id': 'ownInternal',
  'GET /api/internal/notifications/templates/:id/locales': 'ownInternal',
  'PUT /api/internal/notifications/templates/:id/locales/:locale': ['ownInternal', texts],
  'DELETE /api/internal/notifications/templates/:id/locales/:locale': 'ownInternal',
  'GET /api/internal/notifications/types/:appCode/:type/templates': 'ownInternal',
  'POST /api/internal/notifications/types/:appCode/:type/templates': ['ownInternal', keyed],

  'GET /api/admin/notifications/types/:appCode': 'view',
  'POST /api/admin/notifications/types/:appCode': ['edit', coded],
  'GET /api/admin/notifications/types/:appCode/:type': 'view',
  'PUT /api/admin/notifications/types/:appCode/:type': ['edit', named],
  'DELETE /api/admin/notifications/types/:appCode/:type': 'edit',
  'GET /api/admin/notifications/types/:appCode/:type/templates': 'view',
  'POST /api/admin/notifications/types/:appCode/:type/templates': ['edit', keyed],
  'GET /api/admin/notifications/templates/:appCode': 'view',
  'PUT /api/admin/notifications/templates/:id': ['tplEdit', named],
  'DELETE /api/admin/notifications/templates/:id': 'tplEdit',
  'GET /api/admin/notifications/templates/:id/locales': 'tplView',
  'PUT /api/admin/notifications/templates/:id/locales/:locale': ['tplEdit', texts],
  'DELETE /api/admin/notifications/templates/:id/locales/:locale': 'tplEdit',
  'POST /api/admin/notifications/templates/:id/locales/:locale/preview': ['tplView', data],
  'POST /api/admin/notifications/templates/:id/locales/:locale/test': ['tplEdit', data],
  'GET /api/admin/notifications/broadcast/:appCode': 'view',
  'POST /api/admin/notifications/broadcast/:appCode': ['edit', broadcast],
  'GET /api/admin/notifications/broadcast/:appCode/:id': 'view',
  'GET /api/admin/notifications/broadcast/:appCode/:id/stream': 'view',
  'POST /api/admin/notifications/broadcast/:appCode/:id/pause': 'edit',
  'POST /api/admin/notifications/broadcast/:appCode/:id/resume': 'edit',
  'POST /api/admin/notifications/broadcast/:appCode/:id/cancel': 'edit',
  'GET /api/admin/notifications/log': 'global',
  'GET /api/admin/notifications/log/:appCode': 'view',
  'GET /api/admin/notifications/log/:appCode/:id': 'view',
  'GET /api/admin/notifications/stats/:appCode': 'view',

  'GET /api/admin/brands': 'panel',
  'POST /api/admin/brands': ['global', slugged],
  'GET /api/admin/brands/:id': 'panel',
  'PUT /api/admin/brands/:id': ['global', named],
  'DELETE /api/admin/brands/:id': 'global',
  'GET /api/admin/languages': 'panel',
  'POST /api/admin/languages': ['global', () => ({ code: uniqueLanguage(), name: 'Named' })],
  'PUT /api/admin/languages/:code': ['global', named],
  'DELETE /api/admin/languages/:code': 'global',
  'GET /api/admin/user-pools': 'panel',
  'POST /api/admin/user-pools': ['global', slugged],
  'PUT /api/admin/user-pools/:id': ['global', named],
  'DELETE /api/admin/user-pools/:id': 'global',
}

export type Outcome = '401' | '403' | '404' | 'pass'

/** What each caller gets from a route. */
export function expected(route: string): Record<Caller, Outcome> {
  const column = KINDS.indexOf(kindOf(route))
  const outcomes = Object.entries(CALLERS).map(([caller, row]) => [caller, row.split(/ +/)[column]])
  return Object.fromEntries(outcomes)
}

export function kindOf(route: string): Kind {
  const row = ROUTES[route]
  return typeof row === 'string' ? row : row[0]
}

export function bodyOf(route: string, appCode: string): object | undefined {
  const row = ROUTES[route]
  return typeof row === 'string' ? undefined : row[1](appCode)
}
