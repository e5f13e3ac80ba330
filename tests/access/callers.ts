import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import { createKey } from '#app/applications/actions/create_key'
import Application from '#app/applications/models/application'
import {
  APPLICATION_ENTITY,
  APPLICATION_MANAGER_ROLE,
  MANAGE_APPLICATIONS,
  PANEL_ADMIN_ROLE,
  PANEL_APPLICATION,
} from '#app/applications/values/panel'
import Permission from '#app/permissions/models/permission'
import ResourceOverride from '#app/permissions/models/resource_override'
import Role from '#app/permissions/models/role'
import SuperAdmin from '#app/permissions/models/super_admin'
import UserRole from '#app/permissions/models/user_role'
import { lifecycleEvent } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'
import { INTERNAL_KEY, SUPER_ADMIN, WEBHOOK_SECRET, issuer } from '#tests/world/prepare'
import type { Caller } from '#tests/access/section_access'

export interface Credentials {
  headers: Record<string, string>
  /** Whom a token stands for; of a caller without one, a person nobody knows. */
  email: string
}

/** With what a caller of this kind comes to a request about `application`. */
export async function credentialsOf(
  caller: Caller,
  application: Application,
  client: ApiClient
): Promise<Credentials> {
  const withoutToken = SECRETS[caller]
  if (withoutToken) return { headers: withoutToken, email: uniqueEmail() }
  if (isKey(caller)) {
    const key = await KEYS[caller](application)
    return { headers: { 'x-internal-api-key': key }, email: uniqueEmail() }
  }
  const email = await person(caller as Person, application, client)
  return { headers: { authorization: `Bearer ${await issuer.token(email)}` }, email }
}

const SECRETS: Partial<Record<Caller, Record<string, string>>> = {
  nobody: {},
  garbage: { authorization: 'Bearer garbage' },
  key: { 'x-internal-api-key': INTERNAL_KEY },
  wrongKey: { 'x-internal-api-key': `not-${INTERNAL_KEY}` },
  hook: { 'x-webhook-secret': WEBHOOK_SECRET },
}

type Key = 'ownKey' | 'otherKey' | 'exKey'

/** Keys of applications. */
const KEYS: Record<Key, (application: Application) => Promise<string>> = {
  ownKey: ({ code }) => keyOf(code),
  otherKey: async () => keyOf((await anApplication()).code),
  exKey: ({ code }) => keyOf(code, DateTime.utc().minus({ seconds: 1 })),
}

const isKey = (caller: Caller): caller is Key => caller in KEYS

async function keyOf(appCode: string, expiresAt?: DateTime) {
  return (await createKey(appCode, { name: 'Server', expiresAt })).text
}

type Person = Exclude<Caller, 'nobody' | 'garbage' | 'key' | 'wrongKey' | 'hook' | Key>

/** A person with exactly these rights; all but the super admin are new. */
async function person(caller: Person, application: Application, client: ApiClient) {
  const email = uniqueEmail(caller.toLowerCase())
  switch (caller) {
    case 'user':
      return email
    case 'manager':
      return hasRole(email, APPLICATION_MANAGER_ROLE)
    case 'override':
      return hasLevel(email, application.code, 'edit')
    case 'view':
    case 'edit':
      await hasRole(email, APPLICATION_MANAGER_ROLE)
      return hasLevel(email, application.code, caller)
    case 'exEdit':
      await hasRole(email, APPLICATION_MANAGER_ROLE)
      return deactivated(client, await hasLevel(email, application.code, 'edit'))
    case 'otherAdmin':
      return anAdministratorOf(await anApplication())
    case 'admin':
      return anAdministratorOf(application)
    case 'global':
      return hasRole(email, PANEL_ADMIN_ROLE)
    case 'super':
      return SUPER_ADMIN
    case 'exAdmin':
      return deactivated(client, await anAdministratorOf(application))
    case 'exGlobal':
      return deactivated(client, await hasRole(email, PANEL_ADMIN_ROLE))
    case 'exSuper':
      await SuperAdmin.create({ email })
      return deactivated(client, email)
  }
}

/** A role in the panel's application. */
export async function hasRole(email: string, code: string) {
  const panel = await Application.withCode(PANEL_APPLICATION)
  const role = await Role.findByOrFail({ applicationId: panel.id, code })
  await UserRole.create({ email, roleId: role.id })
  return email
}

/** A panel level on one application, which alone opens nothing. */
export async function hasLevel(email: string, appCode: string, accessLevel: 'view' | 'edit') {
  const panel = await Application.withCode(PANEL_APPLICATION)
  const permission = await Permission.findByOrFail({
    applicationId: panel.id,
    code: MANAGE_APPLICATIONS,
  })
  await ResourceOverride.create({
    email,
    permissionId: permission.id,
    resourceType: APPLICATION_ENTITY,
    resourceId: appCode,
    granted: true,
    accessLevel,
  })
  return email
}

async function deactivated(client: ApiClient, email: string) {
  await lifecycleEvent(client, 'user.deactivated', email)
  return email
}

/** Rows about super admins make some; other tests count on the one of the settings. */
export async function removeOtherSuperAdmins() {
  await SuperAdmin.query().whereNot('email', SUPER_ADMIN).delete()
}
