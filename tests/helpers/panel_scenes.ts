import { DateTime } from 'luxon'
import { actingAs } from '#core/audit/audit_actor'
import type { Change } from '#core/audit/change'
import { recordChanges } from '#core/audit/record_change'
import { userTarget } from '#core/audit/user_target'
import { transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { applicationTarget, entityTarget } from '#app/applications/values/audit_targets'
import Entity from '#app/applications/models/entity'
import Instance from '#app/applications/models/instance'
import Resource from '#app/applications/models/resource'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import { createTemplate } from '#app/notifications/actions/create_template'
import { saveVersion } from '#app/notifications/actions/save_version'
import NotificationType from '#app/notifications/models/notification_type'
import NotificationTypeSample from '#app/notifications/models/notification_type_sample'
import Permission from '#app/permissions/models/permission'
import ResourceOverride from '#app/permissions/models/resource_override'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'
import UserRole from '#app/permissions/models/user_role'
import type { PermissionType } from '#app/permissions/values/access_level'
import { roleTarget } from '#app/permissions/values/audit_targets'
import Brand from '#app/platform/models/brand'
import UserPool from '#app/platform/models/user_pool'
import UserPoolOrganisation from '#app/platform/models/user_pool_organisation'
import { PLAIN_APPEARANCE } from '#app/platform/values/appearance'
import User from '#app/profiles/models/user'
import { subscribe } from '#tests/helpers/deliveries'
import { aNotification } from '#tests/helpers/inbox'
import { aMixedBroadcast } from '#tests/helpers/panel_broadcasts'
import { aFailedMessage, otherMessages, someBounces } from '#tests/helpers/panel_messages'
import { aFailingWebhook } from '#tests/helpers/panel_webhooks'
import { Browser } from '#tests/world/push_service'

/**
 * What an application in the panel shows. The names are those of parameters in the paths of
 * screens.
 */
export interface Scene {
  appCode: string
  roleId: string
  /** A kind of resource, with resources in the catalog. */
  entityId: string
  permissionId: string
  /** Code of a notification type, with a template. */
  type: string
  templateId: string
  brandId: string
  /** A message that failed and can be sent again. */
  messageId: string
  /** A broadcast that has ended, with a recipient of each outcome. */
  broadcastId: string
  /** A webhook with deliveries. */
  webhookId: string
  /** A person with roles and overrides in the application. */
  email: string
}

/** Of what there is none. */
const NONE = {
  broadcastId: '0',
  roleId: '0',
  permissionId: '0',
  entityId: '0',
  messageId: '0',
  webhookId: '0',
  type: 'none',
  templateId: '0',
  brandId: '0',
}
const LEVELS = { binary: ['allowed'], tiered: ['view', 'edit'] } as const

interface Texts {
  /** Of the application. */
  code: string
  application: string
  description: string
  groups: string[]
  permissions: string[]
  roles: string[]
  people: string[]
  resource: string
  /** Of the first person, for push messages. */
  device: string
  /** A name of sample data. */
  sample: string
}

const ORDINARY: Texts = {
  code: 'crm',
  application: 'Customer relations',
  description: 'Leads, offers and contracts',
  groups: ['Contracts', 'Leads'],
  permissions: ['Read contracts', 'Sign contracts', 'Export leads', 'Merge leads', 'Delete leads'],
  roles: ['Clerk', 'Manager', 'Auditor'],
  people: ['Božena Němcová', 'Karel Čapek', 'Alan Turing', 'Grace Hopper'],
  resource: 'contract-42',
  device: 'Firefox on Linux',
  sample: 'First order',
}

const MARKUP = [
  `<img src=x onerror="globalThis.wasRun = true">`,
  `</script><script>globalThis.wasRun = true</script>`,
  `"><svg onload="globalThis.wasRun = true">`,
  `{{ constructor.constructor('globalThis.wasRun = true')() }}`,
  `javascript:globalThis.wasRun=true//`,
  `{name} | %s @:nav.main ' OR 1=1 --`,
]
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamte'.repeat(4)
const FOREIGN = ['مدير العقود والعملاء', 'חוזים של הלקוחות', '👩🏽‍🚀🏳️‍🌈 contracts', 'Z̸̢͎͝a̵͍̾l̷̠͐g̸̰͂o̷̭͒']

const HOSTILE: Texts = {
  code: 'hostile',
  application: MARKUP[0],
  description: MARKUP.join(' ').repeat(8),
  groups: [MARKUP[1], LONG.slice(0, 100)],
  permissions: [...MARKUP, ...FOREIGN, LONG.slice(0, 255)],
  roles: [...FOREIGN, ...MARKUP, LONG.slice(0, 255)],
  people: [...MARKUP, ...FOREIGN, LONG.slice(0, 200)],
  resource: MARKUP[2],
  device: MARKUP[0],
  sample: `${FOREIGN[0]} ${LONG}`.slice(0, 100),
}

const count = (length: number, name: string) =>
  Array.from({ length }, (_, index) => `${name} ${index + 1}`)

const FULL: Texts = {
  code: 'large',
  application: 'A very large application',
  description: 'With 200 permissions, 50 roles and 300 people',
  groups: count(20, 'Group'),
  permissions: count(200, 'Permission'),
  roles: count(50, 'Role'),
  people: count(300, 'Person'),
  resource: 'project-1',
  device: 'Device 1',
  sample: 'Sample 1',
}

/** One of each kind for a process and its database, because no test changes them. */
export const ordinaryScene = once(() => createScene(ORDINARY))
/** Names with markup, of the greatest length, from right to left, and of unusual characters. */
export const hostileScene = once(() => createScene(HOSTILE))
export const fullScene = once(() => createScene(FULL))

/** An application in which there is nothing yet, and a person who has nothing. */
export const emptyScene = once(async (): Promise<Scene> => {
  const texts = { ...ORDINARY, code: 'nothing', application: 'Nothing yet', people: ['Newcomer'] }
  const application = await anApplicationOf(texts)
  const [{ email }] = await createPeople(texts)
  return { appCode: application.code, ...NONE, email }
})

function once<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => (created ??= create())
}

const anApplicationOf = ({ code, application, description }: Texts) =>
  Application.create({
    code,
    name: application,
    description,
    supportedLanguages: ['en', 'cs'],
    // Before everything that it has done.
    createdAt: DateTime.utc().minus({ days: 60 }),
  })

/** A new application with everything that these texts name. */
async function createScene(texts: Texts): Promise<Scene> {
  const application = await anApplicationOf(texts)
  const { id: applicationId } = application
  const entity = await Entity.create({
    applicationId,
    code: 'contract',
    name: texts.permissions[0],
    idLabel: 'Number',
    description: texts.description,
  })
  await createResources(entity.id, texts)
  await Instance.create({
    applicationId,
    name: texts.roles[0],
    baseUrl: 'https://crm.example',
    approved: true,
    callbackUrls: ['https://crm.example/callback'],
    postLogoutUrls: [],
  })
  const permissions = await createPermissions(applicationId, texts)
  const roles = await createRoles(applicationId, texts, permissions)
  const people = await createPeople(texts)
  await ApplicationAdmin.create({ applicationId, email: people[1].email })
  await UserRole.createMany(
    people.flatMap(({ email }, index) =>
      [roles[index % roles.length], roles[(index + 1) % roles.length]].map(({ id }) => ({
        email,
        roleId: id,
      }))
    )
  )
  const [{ email }] = people
  const device = await subscribe(email, new Browser('https://updates.push.services.mozilla.com'))
  await device.merge({ deviceLabel: texts.device }).save()
  await ResourceOverride.createMany(
    permissions.slice(0, 3).map(({ id: permissionId }, index) => ({
      email,
      permissionId,
      resourceType: 'contract',
      resourceId: texts.resource,
      granted: index > 0,
      accessLevel: null,
    }))
  )
  await createChanges(application, { entity, role: roles[0], email }, texts)
  const messageId = await createLog(application, texts)
  const webhookId = await aFailingWebhook(application.code, texts.permissions[0])
  const [permissionId, roleId] = [permissions, roles].map(([{ id }]) => String(id))
  const ids = {
    roleId,
    permissionId,
    entityId: String(entity.id),
    messageId: String(messageId),
    webhookId: String(webhookId),
  }
  const messages = await createMessages(application, texts)
  const brandId = await createPlatformData(texts)
  const broadcastId = await aMixedBroadcast(application, texts.description, {
    type: messages.type,
    data: { order: { number: '42' } },
  })
  return {
    appCode: application.code,
    ...ids,
    ...messages,
    brandId,
    broadcastId: String(broadcastId),
    email,
  }
}

/** A brand and a user pool of it. */
async function createPlatformData({ code, application, permissions }: Texts) {
  const brand = await Brand.create({
    slug: code,
    name: application.slice(0, 255),
    isDefault: false,
    appearance: { ...PLAIN_APPEARANCE, primaryColor: '#1d4ed8' },
  })
  const { id: brandId } = brand
  const pool = await UserPool.create({ slug: code, name: permissions[0], brandId })
  await UserPoolOrganisation.createMany(
    permissions.slice(0, 8).map((_, index) => ({
      userPoolId: pool.id,
      organisationId: `${code}-organisation-${index}`,
    }))
  )
  return String(brandId)
}

/** Notification types, a template in two languages, and what was sent of it. */
async function createMessages({ id: applicationId, code: appCode }: Application, texts: Texts) {
  const { permissions, description } = texts
  const types = await NotificationType.createMany(
    permissions.map((name, index) => ({
      applicationId,
      code: `type-${index + 1}`,
      name,
      description,
      urgent: index % 3 === 2,
      pushEnabled: index % 2 === 0,
      userCanDisable: index > 0,
    }))
  )
  const [{ id: notificationTypeId, code: type }] = types
  const data = { order: { number: 'A-17' } }
  await NotificationTypeSample.create({ notificationTypeId, name: texts.sample, data })
  const { id } = await createTemplate(appCode, type, {
    key: 'main',
    name: permissions[0],
    variables: [
      { key: 'order.number', required: true },
      { key: 'code', required: false, sensitive: true },
    ],
  })
  // Placeholders of a template are no hostile text, but its syntax.
  const [title, text] = [permissions[0], description].map((one) => one.replaceAll(/[{}<>]/g, ''))
  for (const locale of ['en', 'cs']) {
    await saveVersion(id, locale, {
      subjectTemplate: `{{order.number}}: ${title}`,
      bodyTemplate: `<h1>${title}</h1>\n<p>{{userName}}, ${text}</p>\n<p>{{code}}</p>\n`,
    })
  }
  for (const [index, status] of (['sent', 'failed', 'skipped'] as const).entries()) {
    const email = `person-${index + 1}@${appCode}.example`
    await aNotification(email, { appCode, type, status, subject: title })
  }
  return { type, templateId: String(id) }
}

/** Entries of the audit trail, of a person and of a server. */
async function createChanges(
  { id, code, name, description }: Application,
  { entity, role, email }: { entity: Entity; role: Role; email: string },
  { roles, people, resource }: Texts
) {
  const application = { id, code }
  const of = (change: Omit<Change, 'application'>): Change => ({ ...change, application })
  const target = applicationTarget(application)
  const always = { validFrom: null, validUntil: null }
  const byPerson = [
    of({ action: 'application.created', target, before: null, after: { name, description } }),
    of({
      action: 'role.updated',
      target: roleTarget(role),
      before: { name: roles[1] },
      after: { name: role.name },
    }),
    of({
      action: 'user.roles_replaced',
      target: userTarget(email),
      email,
      before: { trainee: always },
      after: { 'role-1': always, 'role-2': always },
    }),
  ]
  const byServer = of({
    action: 'resources.saved',
    target: entityTarget(entity),
    before: {},
    after: { [resource]: { label: people[0], properties: {} } },
  })
  await transaction(async (trx) => {
    await actingAs({ kind: 'user', email }, () => recordChanges(trx, byPerson))
    await actingAs({ kind: 'server', name: roles[2] }, () => recordChanges(trx, [byServer]))
  })
}

/** To the first person: what failed after two attempts, and one of each other outcome. */
async function createLog({ code: appCode }: Application, texts: Texts) {
  const [email] = texts.people.map((_, index) => emailOf(texts, index))
  const said = { appCode, email, subject: texts.permissions[1], text: texts.description }
  await otherMessages(said)
  const { id } = await aFailedMessage(said)
  await someBounces(`bounced-${email}`, id, texts.description)
  return id
}

function createResources(entityId: number, { permissions, resource }: Texts) {
  return Resource.createMany(
    permissions.map((label, index) => ({
      entityId,
      resourceId: index === 0 ? resource : `${resource}-${index}`.slice(-255),
      label: index % 5 === 4 ? null : label,
      properties: index % 3 === 2 ? {} : { status: label, pages: index },
    }))
  )
}

function createPermissions(applicationId: number, { groups, permissions }: Texts) {
  return Permission.createMany(
    permissions.map((name, index) => ({
      applicationId,
      code: `permission.${index + 1}`,
      name,
      description: name,
      groupName: groups[index % groups.length],
      type: (index % 2 ? 'tiered' : 'binary') as PermissionType,
      global: index === 0,
    }))
  )
}

async function createRoles(applicationId: number, texts: Texts, permissions: Permission[]) {
  const roles = await Role.createMany(
    texts.roles.map((name, index) => ({
      applicationId,
      code: `role-${index + 1}`,
      name,
      description: texts.description.slice(0, 200),
    }))
  )
  const grants = roles.flatMap(({ id: roleId }, column) =>
    permissions
      .filter((_, row) => (row + column) % 3 === 0)
      .map(({ id: permissionId, type }, row) => {
        const levels = LEVELS[type]
        return { roleId, permissionId, accessLevel: levels[row % levels.length] }
      })
  )
  await RolePermission.createMany(grants)
  return roles
}

const createPeople = ({ code, people }: Texts) =>
  User.createMany(
    people.map((displayName, index) => ({
      email: emailOf({ code }, index),
      displayName,
      firstName: displayName.slice(0, 100),
      lastName: `No ${index + 1}`,
      active: index % 7 !== 6,
    }))
  )

const emailOf = ({ code }: Pick<Texts, 'code'>, index: number) =>
  `person-${index + 1}@${code}.example`
