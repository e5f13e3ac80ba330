import { uniqueCode, uniqueEmail } from '#tests/helpers/people'

/**
 * Who may call what (specification part 5, decisions 2.1 to 2.5): what each kind of caller gets from each kind of
 * endpoint, 401, 403 or past the guard. Callers with a token are people with these rights and no others:
 *
 * - `manager`: the role `application_manager` alone
 * - `override`: `edit` on the application through an override, without that role
 * - `view`, `edit`: that level on the application through an override, with the role
 * - `otherAdmin`, `admin`: administrator of another application, of the application
 * - `global`: the role `panel_admin`
 * - `exEdit`, `exAdmin`, `exGlobal`, `exSuper`: as above, with a user record that was deactivated
 */
// prettier-ignore
export const CALLERS = {
  //          anybody internal provider signedIn viewers editors userReaders globalAdmins superAdmins
  nobody:    'pass    401      401      401      401     401     401         401          401',
  garbage:   'pass    401      401      401      401     401     401         401          401',
  key:       'pass    pass     401      401      401     401     401         401          401',
  wrongKey:  'pass    401      401      401      401     401     401         401          401',
  hook:      'pass    401      pass     401      401     401     401         401          401',
  user:      'pass    401      401      pass     403     403     403         403          403',
  manager:   'pass    401      401      pass     403     403     403         403          403',
  override:  'pass    401      401      pass     403     403     403         403          403',
  otherAdmin:'pass    401      401      pass     403     403     pass        403          403',
  view:      'pass    401      401      pass     pass    403     403         403          403',
  edit:      'pass    401      401      pass     pass    pass    403         403          403',
  admin:     'pass    401      401      pass     pass    pass    pass        403          403',
  global:    'pass    401      401      pass     pass    pass    pass        pass         403',
  super:     'pass    401      401      pass     pass    pass    pass        pass         pass',
  exEdit:    'pass    401      401      pass     403     403     403         403          403',
  exAdmin:   'pass    401      401      pass     403     403     403         403          403',
  exGlobal:  'pass    401      401      pass     403     403     403         403          403',
  exSuper:   'pass    401      401      pass     403     403     403         403          403',
} as const

const KINDS = [
  'anybody',
  'internal',
  'provider',
  'signedIn',
  'viewers',
  'editors',
  'userReaders',
  'globalAdmins',
  'superAdmins',
] as const

export type Caller = keyof typeof CALLERS
type Kind = (typeof KINDS)[number]
type Body = (appCode: string) => object
type Row = Kind | [Kind, Body]

const check: Body = (app) => ({ app, email: uniqueEmail(), permission: 'read' })
const bulk: Body = (app) => ({ app, email: uniqueEmail(), permissions: ['read'] })
const email: Body = () => ({ email: uniqueEmail() })
const coded: Body = () => ({ code: uniqueCode(), name: 'Named' })
const named: Body = () => ({ name: 'Renamed' })
const none: Body = () => ({ permissions: [] })

/** Every route of the service, with a body that a caller past the guard can send. */
export const ROUTES: Record<string, Row> = {
  'GET /api/health/live': 'anybody',
  'GET /api/health/ready': 'anybody',

  'GET /api/idp/health': 'anybody',
  'GET /api/idp/discovery': 'anybody',
  'GET /api/idp/login': 'anybody',
  'GET /api/idp/callback': 'anybody',
  'POST /api/idp/webhook': ['provider', () => ({ eventType: 'user.created', user: email('') })],

  'POST /api/check': ['anybody', check],
  'POST /api/check/bulk': ['anybody', bulk],
  'POST /api/check/effective': ['anybody', check],
  'POST /api/check/cache/clear': 'anybody',

  'POST /api/internal/auth/application-events': [
    'internal',
    (appCode) => ({ appCode, email: uniqueEmail(), event: 'login' }),
  ],
  'PUT /api/internal/auth/profile-sync': ['internal', email],

  'GET /api/profile/me': 'signedIn',
  'PUT /api/profile/me': ['signedIn', () => ({ theme: 'dark' })],
  'GET /api/profile/me/admin-status': 'signedIn',
  'POST /api/profile/me/check': ['signedIn', check],
  'POST /api/profile/me/check/bulk': ['signedIn', bulk],
  'POST /api/profile/me/check/effective': ['signedIn', check],
  'GET /api/profile/me/apps': 'signedIn',
  'GET /api/profile/me/apps/:appCode': 'signedIn',
  'PUT /api/profile/me/apps/:appCode': ['signedIn', () => ({ showHelp: false })],
  'POST /api/profile/me/apps/:appCode/activity': 'signedIn',
  'POST /api/profile/me/apps/:appCode/logout': 'signedIn',
  'GET /api/profile/:email': 'userReaders',

  'GET /api/applications': 'signedIn',
  'POST /api/applications': ['globalAdmins', coded],
  'GET /api/applications/:appCode': 'viewers',
  'PUT /api/applications/:appCode': ['editors', named],
  'DELETE /api/applications/:appCode': 'globalAdmins',
  'GET /api/applications/:appCode/i18n/:locale': 'signedIn',
  'GET /api/applications/:appCode/login-records': 'viewers',

  'GET /api/applications/:appCode/brands': 'viewers',
  'PUT /api/applications/:appCode/brands': ['editors', () => []],
  'GET /api/applications/:appCode/entities': 'viewers',
  'POST /api/applications/:appCode/entities': ['editors', coded],
  'GET /api/applications/:appCode/entities/:id': 'viewers',
  'PUT /api/applications/:appCode/entities/:id': ['editors', named],
  'DELETE /api/applications/:appCode/entities/:id': 'editors',
  'GET /api/applications/:appCode/entities/:entityCode/items': 'viewers',
  'GET /api/applications/:appCode/instances': 'viewers',
  'POST /api/applications/:appCode/instances': [
    'editors',
    () => ({ name: 'Shop', baseUrl: 'https://shop.example' }),
  ],
  'PUT /api/applications/:appCode/instances/:id': ['editors', named],
  'DELETE /api/applications/:appCode/instances/:id': 'editors',

  'GET /api/applications/:appCode/permissions': 'viewers',
  'POST /api/applications/:appCode/permissions': [
    'editors',
    () => ({ code: uniqueCode(), type: 'binary' }),
  ],
  'GET /api/applications/:appCode/permissions/:permissionId': 'viewers',
  'PUT /api/applications/:appCode/permissions/:permissionId': ['editors', coded],
  'DELETE /api/applications/:appCode/permissions/:permissionId': 'editors',
  'GET /api/applications/:appCode/roles': 'viewers',
  'POST /api/applications/:appCode/roles': ['editors', coded],
  'GET /api/applications/:appCode/roles/:roleId': 'viewers',
  'PUT /api/applications/:appCode/roles/:roleId': ['editors', coded],
  'DELETE /api/applications/:appCode/roles/:roleId': 'editors',
  'GET /api/applications/:appCode/roles/:roleId/permissions': 'viewers',
  'PUT /api/applications/:appCode/roles/:roleId/permissions': ['editors', none],

  'GET /api/users': 'userReaders',
  'GET /api/users/:email': 'userReaders',
  'GET /api/users/:email/login-records': 'userReaders',
  'GET /api/users/:email/apps/:appCode/roles': 'viewers',
  'PUT /api/users/:email/apps/:appCode/roles': ['editors', () => ({ roleIds: [] })],
  'GET /api/users/:email/apps/:appCode/resources': 'viewers',
  'GET /api/users/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions': 'viewers',
  'PUT /api/users/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions': [
    'editors',
    none,
  ],

  'GET /api/users/admins': 'superAdmins',
  'POST /api/users/admins': ['superAdmins', email],
  'DELETE /api/users/admins/:email': 'superAdmins',
  'GET /api/users/admins/apps/:appCode': 'viewers',
  'POST /api/users/admins/apps/:appCode': ['editors', email],
  'DELETE /api/users/admins/apps/:appCode/:email': 'editors',
}

export type Outcome = '401' | '403' | 'pass'

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
