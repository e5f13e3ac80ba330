import type { ApiClient } from '@japa/api-client'
import { createKey } from '#app/applications/actions/create_key'
import type Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import Instance from '#app/applications/models/instance'
import { unsubscribeUrl } from '#app/delivery/values/unsubscribe_token'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import SuperAdmin from '#app/permissions/models/super_admin'
import UserPool from '#app/platform/models/user_pool'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { subscribe } from '#tests/helpers/deliveries'
import { anEndedBroadcast } from '#tests/helpers/broadcasts'
import { aNotification } from '#tests/helpers/inbox'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { aBrand, aLanguage } from '#tests/helpers/platform'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { Browser } from '#tests/world/push_service'

/** What one request acts upon: an application that no other request touches, and what its path names in it. */
export interface Scene {
  client: ApiClient
  application: Application
  /** The person who asks. */
  email: string
  /** Where an entity's items are listed. */
  listEndpoint: string
}

/**
 * Makes what a path parameter names, by the segments before it. A route with a parameter of another kind needs a line
 * here.
 */
const PARAMETERS: Record<string, (scene: Scene) => Promise<string | number> | string> = {
  'applications/:appCode': ({ application }) => application.code,
  'apps/:appCode': ({ application }) => application.code,
  'i18n/:locale': () => 'en',
  'errors/:code': () => 'NOT_FOUND',
  'entities/:id': async (scene) => (await entityOf(scene)).id,
  'entities/:entityCode': async (scene) => (await entityOf(scene)).code,
  'instances/:id': async ({ application }) => {
    const fields = { name: 'Shop', baseUrl: 'https://shop.example' }
    const urls = { callbackUrls: [], postLogoutUrls: [] }
    return (await Instance.create({ applicationId: application.id, ...fields, ...urls })).id
  },
  'keys/:id': async ({ application }) =>
    (await createKey(application.code, { name: 'Server' })).key.id,
  'permissions/:permissionId': async ({ application }) => {
    const fields = { code: 'read', type: 'binary', global: false } as const
    return (await Permission.create({ applicationId: application.id, ...fields })).id
  },
  'roles/:roleId': async ({ application }) =>
    (await Role.create({ applicationId: application.id, code: 'reader' })).id,
  'users/:email': personWithRecord,
  'profile/:email': personWithRecord,
  'admins/:email': async () => {
    const email = uniqueEmail()
    await SuperAdmin.create({ email })
    return email
  },
  ':appCode/:email': async ({ application }) => {
    const email = uniqueEmail()
    await ApplicationAdmin.create({ email, applicationId: application.id })
    return email
  },
  'notifications/:appCode': ({ application }) => application.code,
  'types/:appCode': ({ application }) => application.code,
  'templates/:appCode': ({ application }) => application.code,
  'log/:appCode': ({ application }) => application.code,
  'broadcast/:appCode': ({ application }) => application.code,
  'broadcast/:appCode/:id': async ({ application }) => (await anEndedBroadcast(application)).id,
  'log/:appCode/:id': notificationOf,
  'notifications/:id': notificationOf,
  'app/:appCode': ({ application }) => application.code,
  'stats/:appCode': ({ application }) => application.code,
  'log/:email': personWithRecord,
  ':appCode/:type': async ({ application }) => (await aType(application)).code,
  'templates/:id': async (scene) => (await templateIn(scene)).id,
  'locales/:locale': () => 'en',
  'preferences/:notificationTypeId': async ({ application }) => (await aType(application)).id,
  'inbox/:id': async ({ email }) => (await aNotification(email)).id,
  'subscriptions/:id': async ({ email }) =>
    (await subscribe(email, new Browser('https://push.example'))).id,
  'unsubscribe/:token': async ({ application }) => {
    const [user, type] = [await ensureUser({ email: uniqueEmail() }), await aType(application)]
    return decodeURIComponent(unsubscribeUrl(user.id, type.id).split('/').at(-1)!)
  },
  'orgs/:orgId': () => '300000000000000001',
  'brands/:id': async ({ client }) => (await aBrand(client)).id,
  'languages/:code': async ({ client }) => (await aLanguage(client)).code,
  'user-pools/:id': async () => (await UserPool.create({ slug: uniqueCode(), name: 'Pool' })).id,
  'resources/:resourceType': () => 'document',
  ':resourceType/:resourceId': () => '7',
}

/** The path of a request in this scene, with everything it names in existence. */
export async function pathIn(scene: Scene, pattern: string): Promise<string> {
  const segments = pattern.split('/')
  const path = await Promise.all(
    segments.map(async (segment, index) => {
      if (!segment.startsWith(':')) return segment
      const names = [2, 3].map((count) => segments.slice(index + 1 - count, index + 1).join('/'))
      const make = PARAMETERS[names[1]] ?? PARAMETERS[names[0]]
      if (!make) throw new Error(`No line for ${names[0]} in PARAMETERS`)
      return encodeURIComponent(await make(scene))
    })
  )
  return path.join('/')
}

function entityOf({ application, listEndpoint }: Scene) {
  const code = uniqueCode('entity')
  return Entity.create({ applicationId: application.id, code, name: 'Entity', listEndpoint })
}

async function notificationOf({ application }: Scene) {
  return (await aNotification(uniqueEmail(), { appCode: application.code })).id
}

async function personWithRecord() {
  const { email } = await ensureUser({ email: uniqueEmail() })
  return email
}

async function templateIn({ application }: Scene) {
  const template = await aTemplate(application, await aType(application))
  await aVersion(template, 'en')
  return template
}
