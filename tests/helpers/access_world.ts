import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import db from '@adonisjs/lucid/services/db'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'
import { conditionPlan } from '#tests/helpers/access_conditions'

/**
 * Random people and permissions for property tests. Small, with shared names, so that coincidences
 * are frequent.
 */
export interface AccessWorld {
  /** Includes people without a user record. */
  people: string[]
  users: { email: string; active: boolean }[]
  superAdmins: string[]
  applications: string[]
  applicationAdmins: { email: string; app: string; window?: WorldWindow }[]
  permissions: WorldPermission[]
  roles: { app: string; role: string }[]
  rolePermissions: {
    app: string
    role: string
    permission: string
    level: AccessLevel
    condition?: string | null
  }[]
  userRoles: { email: string; app: string; role: string; window?: WorldWindow }[]
  overrides: WorldOverride[]
  catalog: WorldResource[]
}

export interface WorldResource {
  app: string
  resourceType: string
  resourceId: string
  properties: { status?: string; owner?: string }
}

export interface WorldPermission {
  app: string
  code: string
  type: PermissionType
  global: boolean
  groupName: string | null
}

export interface WorldOverride {
  email: string
  app: string
  permission: string
  resourceType: string
  resourceId: string
  granted: boolean
  level: AccessLevel | null
  /** Without one, always. */
  window?: WorldWindow
  condition?: string | null
}

/** In milliseconds; null leaves a side open. */
export interface WorldWindow {
  from: number | null
  until: number | null
}

export const ALWAYS: WorldWindow = { from: null, until: null }

/** The first hours of a year, in which the windows of worlds begin and end. */
export const NEW_YEAR = Date.parse('2027-01-01T00:00:00Z')
const HOUR = 3_600_000

/** A check without its permission. */
export interface WorldScope {
  email: string
  app: string
  resourceType?: string
  resourceId?: string
}

export const PERMISSION_CODES = ['read.b', 'Write', 'a:all', '9-lives']
export const ROLE_CODES = ['clerk', 'boss', 'guest']
const GROUPS = [null, 'b', 'B', 'a']
/** The third is the first with type and id swapped. */
export const RESOURCES = [
  { resourceType: 'order', resourceId: '1' },
  { resourceType: 'order', resourceId: '2' },
  { resourceType: '1', resourceId: 'order' },
]
const QUESTIONS = [
  {},
  ...RESOURCES,
  { resourceType: 'order' },
  { resourceId: '1' },
  { resourceType: 'order', resourceId: '3' },
]

const seldom = fc.nat(7).map((number) => number === 0)
const indexBelow = (length: number) => fc.nat(length - 1)
const anyOf = <T>(values: readonly T[]) => fc.constantFrom(...values)

const windowPlan: fc.Arbitrary<WorldWindow> = anyOf([
  ALWAYS,
  ALWAYS,
  { from: null, until: NEW_YEAR + HOUR },
  { from: NEW_YEAR + HOUR, until: null },
  { from: NEW_YEAR + HOUR, until: NEW_YEAR + 2 * HOUR },
  { from: null, until: NEW_YEAR - HOUR * 24 * 365 },
])

const personPlan = fc.record({
  windows: fc.array(windowPlan, { minLength: 3, maxLength: 3 }),
  record: anyOf(['active', 'active', 'inactive', 'none'] as const),
  superAdmin: seldom,
  administers: fc.array(indexBelow(12), { maxLength: 1 }),
  roles: fc.subarray(
    [0, 1, 2].flatMap((app) => ROLE_CODES.map((role) => ({ app, role }))),
    { maxLength: 5 }
  ),
  overrides: fc.uniqueArray(
    fc.record({
      app: indexBelow(3),
      permission: anyOf(PERMISSION_CODES),
      resource: indexBelow(RESOURCES.length),
      granted: fc.boolean(),
      level: anyOf([null, 'view', 'edit'] as const),
      condition: conditionPlan,
    }),
    {
      maxLength: 8,
      selector: ({ app, permission, resource }) => `${app} ${permission} ${resource}`,
    }
  ),
})

/** Some are those of overrides; the order of the others differs between UTF-8 and UTF-16. */
const CATALOGUED = [...RESOURCES, ...['10', 'B', 'a', '\u{ff5e}', '\u{1f600}'].map(order)]

function order(resourceId: string) {
  return { resourceType: 'order', resourceId }
}

const applicationPlan = fc.record({
  catalog: fc.uniqueArray(
    fc.record({
      resource: indexBelow(CATALOGUED.length),
      status: anyOf([undefined, 'open', 'closed']),
      owner: fc.option(indexBelow(3), { nil: undefined }),
    }),
    { maxLength: 6, selector: ({ resource }) => resource }
  ),
  permissions: fc.subarray(PERMISSION_CODES, { minLength: 1 }).chain((codes) =>
    fc.tuple(
      ...codes.map((code) =>
        fc.record({
          code: fc.constant(code),
          type: anyOf(['binary', 'tiered'] as const),
          global: seldom,
          groupName: anyOf(GROUPS),
        })
      )
    )
  ),
  roles: fc.subarray(ROLE_CODES).chain((codes) =>
    fc.tuple(
      ...codes.map((role) =>
        fc.record({
          role: fc.constant(role),
          gives: fc.subarray(PERMISSION_CODES),
          level: anyOf(['view', 'edit'] as const),
          condition: conditionPlan,
        })
      )
    )
  ),
})

/** Becomes a world with unique names in `buildWorld`. */
export const worldPlan = fc.record({
  people: fc.array(personPlan, { minLength: 1, maxLength: 3 }),
  applications: fc.array(applicationPlan, { minLength: 1, maxLength: 3 }),
  scopes: fc.uniqueArray(
    fc.record({
      person: indexBelow(4),
      app: indexBelow(4),
      question: indexBelow(QUESTIONS.length),
    }),
    { minLength: 2, maxLength: 4, selector: (scope) => Object.values(scope).join(' ') }
  ),
})

export type WorldPlan = typeof worldPlan extends fc.Arbitrary<infer Plan> ? Plan : never

/** People without permissions and empty applications, with unique names. */
export function buildEmptyWorld(size: { people: number; applications: number }): AccessWorld {
  const tag = randomUUID().slice(0, 13)
  return {
    people: Array.from({ length: size.people }, (_, index) => `p${index}-${tag}@worlds.example`),
    users: [],
    superAdmins: [],
    applications: Array.from({ length: size.applications }, (_, index) => `w${index}-${tag}`),
    applicationAdmins: [],
    permissions: [],
    roles: [],
    rolePermissions: [],
    userRoles: [],
    overrides: [],
    catalog: [],
  }
}

export function buildWorld(plan: WorldPlan): AccessWorld {
  const world = buildEmptyWorld({
    people: plan.people.length,
    applications: plan.applications.length,
  })
  for (const [number, application] of plan.applications.entries()) {
    const app = world.applications[number]
    world.permissions.push(...application.permissions.map((permission) => ({ app, ...permission })))
    world.catalog.push(
      ...application.catalog.map(({ resource, status, owner }) => {
        const properties = {
          ...(status !== undefined && { status }),
          ...(owner !== undefined && { owner: world.people[owner % world.people.length] }),
        }
        return { app, ...CATALOGUED[resource], properties }
      })
    )
    for (const { role, gives, level, condition } of application.roles) {
      world.roles.push({ app, role })
      for (const { code, type } of application.permissions) {
        if (!gives.includes(code)) continue
        const fitting = type === 'tiered' ? level : 'allowed'
        world.rolePermissions.push({ app, role, permission: code, level: fitting, condition })
      }
    }
  }
  for (const [number, person] of plan.people.entries()) addPerson(world, number, person)
  return world
}

function addPerson(world: AccessWorld, number: number, plan: WorldPlan['people'][number]) {
  const email = world.people[number]
  if (plan.record !== 'none') world.users.push({ email, active: plan.record === 'active' })
  if (plan.superAdmin) world.superAdmins.push(email)
  const [asAdmin, asMember, onResource] = plan.windows
  for (const place of plan.administers) {
    const app = world.applications[place]
    if (app !== undefined) world.applicationAdmins.push({ email, app, window: asAdmin })
  }
  for (const { app: place, role } of plan.roles) {
    const app = world.applications[place]
    const exists = world.roles.some((known) => known.app === app && known.role === role)
    const window = role === ROLE_CODES[0] ? asMember : ALWAYS
    if (exists) world.userRoles.push({ email, app, role, window })
  }
  for (const { app: place, resource, permission, granted, level, condition } of plan.overrides) {
    const app = world.applications[place]
    const known = permissionOf(world, app, permission)
    if (!known) continue
    world.overrides.push({
      email,
      app,
      permission,
      ...RESOURCES[resource],
      granted,
      level: granted && known.type === 'tiered' ? level : null,
      window: onResource,
      condition,
    })
  }
}

export function permissionOf({ permissions }: AccessWorld, app: string, code: string) {
  return permissions.find((permission) => permission.app === app && permission.code === code)
}

/** Includes strangers and unknown applications. */
export function scopesOf(world: AccessWorld, { scopes }: WorldPlan): WorldScope[] {
  const people = [...world.people, `stranger-${world.people[0]}`]
  const applications = [...world.applications, `no-${world.applications[0]}`]
  return scopes.map(({ person, app, question }) => ({
    email: people[person % people.length],
    app: applications[app % applications.length],
    ...QUESTIONS[question],
  }))
}

/** They never collide with generated ids. Requests accept only positive ones. */
export type WorldIds = 'negative' | 'positive'

let lastId = 0
const NEW_ID: Record<WorldIds, () => number> = {
  negative: () => --lastId,
  positive: () => 1_000_000_000 - --lastId,
}

/** Writes rows directly, without the service's actions. */
export async function storeWorlds(worlds: AccessWorld[], ids: WorldIds = 'negative') {
  const tables = tablesOf(worlds, NEW_ID[ids])
  await db.transaction(async (trx) => {
    for (const [table, rows] of Object.entries(tables)) {
      // SQLite limits the number of rows in one statement.
      for (let start = 0; start < rows.length; start += 200) {
        await trx.table(table).multiInsert(rows.slice(start, start + 200))
      }
    }
  })
}

function tablesOf(worlds: AccessWorld[], newId: () => number) {
  const created = { created_at: new Date(0).toISOString() }
  const times = { ...created, updated_at: created.created_at }
  const ids = new Map<string, number>()
  const named = (...name: string[]) => {
    const key = name.join('\n')
    if (!ids.has(key)) ids.set(key, newId())
    return ids.get(key)!
  }
  const application = (app: string) => named('application', app)
  const role = (app: string, code: string) => named('role', app, code)
  const permission = (app: string, code: string) => named('permission', app, code)
  return {
    users: worlds.flatMap(({ users }) =>
      users.map((user) => ({ id: newId(), ...user, theme: 'system', ...times }))
    ),
    super_admins: worlds.flatMap(({ superAdmins }) =>
      superAdmins.map((email) => ({ id: newId(), email, ...created }))
    ),
    applications: worlds.flatMap(({ applications }) =>
      applications.map((code) => ({
        id: application(code),
        code,
        name: code,
        supported_languages: '[]',
        ...times,
      }))
    ),
    application_admins: worlds.flatMap(({ applicationAdmins }) =>
      applicationAdmins.map(({ email, app, window }) => ({
        id: newId(),
        email,
        application_id: application(app),
        ...created,
        ...columnsOf(window),
      }))
    ),
    permissions: worlds.flatMap(({ permissions }) =>
      permissions.map(({ app, code, type, global, groupName }) => ({
        id: permission(app, code),
        application_id: application(app),
        code,
        type,
        global,
        group_name: groupName,
        ...times,
      }))
    ),
    roles: worlds.flatMap(({ roles }) =>
      roles.map(({ app, role: code }) => ({
        id: role(app, code),
        application_id: application(app),
        code,
        ...times,
      }))
    ),
    role_permissions: worlds.flatMap(({ rolePermissions }) =>
      rolePermissions.map((row) => ({
        id: newId(),
        role_id: role(row.app, row.role),
        permission_id: permission(row.app, row.permission),
        access_level: row.level,
        condition: row.condition ?? null,
      }))
    ),
    user_roles: worlds.flatMap(({ userRoles }) =>
      userRoles.map(({ email, app, role: code, window }) => ({
        id: newId(),
        email,
        role_id: role(app, code),
        ...created,
        ...columnsOf(window),
      }))
    ),
    // Overrides need an entity for their type, so there are all or none.
    entities: worlds.flatMap(({ applications, catalog }) =>
      applications
        .filter((app) => catalog.some((row) => row.app === app))
        .flatMap((app) =>
          ['order', '1'].map((code) => ({
            id: named('entity', app, code),
            application_id: application(app),
            code,
            name: code,
            ...times,
          }))
        )
    ),
    resources: worlds.flatMap(({ catalog }) =>
      catalog.map(({ app, resourceType, resourceId, properties }) => ({
        id: newId(),
        entity_id: named('entity', app, resourceType),
        resource_id: resourceId,
        label: `The ${resourceId}`,
        properties: JSON.stringify(properties),
        ...times,
      }))
    ),
    resource_overrides: worlds.flatMap(({ overrides }) =>
      overrides.map(({ email, app, permission: code, resourceType, resourceId, ...row }) => ({
        id: newId(),
        email,
        resource_type: resourceType,
        resource_id: resourceId,
        permission_id: permission(app, code),
        granted: row.granted,
        access_level: row.level,
        condition: row.condition ?? null,
        ...columnsOf(row.window),
        ...created,
      }))
    ),
  }
}

function columnsOf({ from, until }: WorldWindow = ALWAYS) {
  const column = (moment: number | null) =>
    moment === null ? null : new Date(moment).toISOString()
  return { valid_from: column(from), valid_until: column(until) }
}

/** All times at which a window that matters to a check begins or ends. */
export function boundariesOf(world: AccessWorld, scope: WorldScope, permission: string): number[] {
  const overrides = world.overrides.filter(
    (row) =>
      row.permission === permission &&
      row.resourceType === scope.resourceType &&
      row.resourceId === scope.resourceId
  )
  return [...world.applicationAdmins, ...world.userRoles, ...overrides]
    .filter((row) => row.email === scope.email && row.app === scope.app)
    .flatMap(({ window: { from, until } = ALWAYS }) => [from, until])
    .filter((moment) => moment !== null)
}
