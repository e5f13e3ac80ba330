import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import NotificationType from '#app/notifications/models/notification_type'
import { MAX_ROLE_PERMISSIONS } from '#app/permissions/actions/replace_role_permissions'
import Permission from '#app/permissions/models/permission'
import ResourceOverride from '#app/permissions/models/resource_override'
import { MAX_CONDITION_BYTES } from '#app/permissions/values/condition_bytes'
import { manageApplication, overridesPath } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'

const NOW = new Date().toISOString()
const stamps = { created_at: NOW, updated_at: NOW }
type Row = Record<string, unknown>

interface Bound {
  resource: string
  code: string
  limit: number
  table: string
  /** Which rows count towards the limit; all rows of the table by default. */
  scope?: (applicationId: number) => Row
  row: (index: number) => Row
  path: (appCode: string) => string
  body: () => Row
}

const ofApplication = (id: number) => ({ application_id: id })
const inApplication = (rest: string) => (code: string) => `/api/applications/${code}/${rest}`
const fixedPath = (path: string) => () => path

const BOUNDS: Bound[] = [
  {
    resource: 'permissions of an application',
    code: 'TOO_MANY_PERMISSIONS',
    limit: 2_000,
    table: 'permissions',
    scope: ofApplication,
    row: (index) => ({ code: `filler-${index}`, type: 'binary', global: false, ...stamps }),
    path: inApplication('permissions'),
    body: () => ({ code: uniqueCode(), type: 'binary' }),
  },
  {
    resource: 'roles of an application',
    code: 'TOO_MANY_ROLES',
    limit: 500,
    table: 'roles',
    scope: ofApplication,
    row: (index) => ({ code: `filler-${index}`, ...stamps }),
    path: inApplication('roles'),
    body: () => ({ code: uniqueCode() }),
  },
  {
    resource: 'entities of an application',
    code: 'TOO_MANY_ENTITIES',
    limit: 200,
    table: 'entities',
    scope: ofApplication,
    row: (index) => ({ code: `filler-${index}`, name: 'Filler', ...stamps }),
    path: inApplication('entities'),
    body: () => ({ code: uniqueCode(), name: 'Another' }),
  },
  {
    resource: 'notification types of an application',
    code: 'TOO_MANY_NOTIFICATION_TYPES',
    limit: 500,
    table: 'notification_types',
    scope: ofApplication,
    row: (index) => ({ code: `filler-${index}`, name: 'Filler', ...stamps }),
    path: (code) => `/api/admin/notifications/types/${code}`,
    body: () => ({ code: uniqueCode(), name: 'Another' }),
  },
  {
    resource: 'administrators of an application',
    code: 'TOO_MANY_ADMINISTRATORS',
    limit: 500,
    table: 'application_admins',
    scope: ofApplication,
    row: (index) => ({ email: `filler-${index}@tests.example`, created_at: NOW }),
    path: (code) => `/api/users/admins/apps/${code}`,
    body: () => ({ email: uniqueEmail() }),
  },
  {
    resource: 'super admins',
    code: 'TOO_MANY_ADMINISTRATORS',
    limit: 500,
    table: 'super_admins',
    row: (index) => ({ email: `filler-${index}@tests.example`, created_at: NOW }),
    path: fixedPath('/api/users/admins'),
    body: () => ({ email: uniqueEmail('super') }),
  },
  {
    resource: 'applications',
    code: 'TOO_MANY_APPLICATIONS',
    limit: 10_000,
    table: 'applications',
    row: (index) => ({
      code: `filler-${index}`,
      name: 'Filler',
      supported_languages: '[]',
      ...stamps,
    }),
    path: fixedPath('/api/applications'),
    body: () => ({ code: uniqueCode(), name: 'Another' }),
  },
  {
    resource: 'brands',
    code: 'TOO_MANY_BRANDS',
    limit: 500,
    table: 'brands',
    row: (index) => ({ slug: `filler-${index}`, name: 'Filler', is_default: false, ...stamps }),
    path: fixedPath('/api/admin/brands'),
    body: () => ({ slug: uniqueCode(), name: 'Another' }),
  },
  {
    resource: 'languages',
    code: 'TOO_MANY_LANGUAGES',
    limit: 1_000,
    table: 'languages',
    row: (index) => ({ code: `zz-${index}`, name: 'Filler', enabled: true, ...stamps }),
    path: fixedPath('/api/admin/languages'),
    body: () => ({ code: uniqueCode('zz'), name: 'Another' }),
  },
  {
    resource: 'user pools',
    code: 'TOO_MANY_USER_POOLS',
    limit: 500,
    table: 'user_pools',
    row: (index) => ({ slug: `filler-${index}`, name: 'Filler', ...stamps }),
    path: fixedPath('/api/admin/user-pools'),
    body: () => ({ slug: uniqueCode(), name: 'Another' }),
  },
]

/** Adds rows until there are `count`. The result deletes every row added from now on. */
async function fill({ table, row }: Bound, count: number, scope: Row = {}) {
  const [{ last }] = await db.from(table).max('id as last')
  const [{ present }] = await db.from(table).where(scope).count('* as present')
  const rows = Array.from({ length: count - Number(present) }, (_, index) => {
    return { ...row(index), ...scope }
  })
  await insertInParts(table, rows)
  return async () => {
    await db
      .from(table)
      .where('id', '>', Number(last ?? 0))
      .delete()
  }
}

/** Creates two notification types that together have one template fewer than allowed. */
async function nearTemplateLimit(client: ApiClient) {
  const { id: applicationId, code } = await anApplication()
  const type = await NotificationType.findByOrFail({ applicationId, code: 'generic' })
  const rows = Array.from({ length: 499 }, (_, index) => {
    return {
      notification_type_id: type.id,
      key: `t${index}`,
      name: 'T',
      variables: '[]',
      ...stamps,
    }
  })
  await db.table('notification_templates').multiInsert(rows)
  const other = uniqueCode('type')
  const types = `/api/admin/notifications/types/${code}`
  const created = await superAdmin(client).post(types, { code: other, name: 'Other' })
  created.assertStatus(201)
  return ['generic', other].map(
    (name) => `/api/admin/notifications/types/${code}/${name}/templates`
  )
}

/** An application whose roles grant `count` permissions, 2,000 in each role but the last. */
async function grantingRoles(client: ApiClient, count: number, condition: string | null = null) {
  const { id: applicationId, code } = await anApplication()
  const permissions = Array.from({ length: Math.min(count, 2_000) }, (_, index) => {
    return { application_id: applicationId, code: `p${index}`, type: 'binary', global: false }
  })
  await insertInParts(
    'permissions',
    permissions.map((row) => ({ ...row, ...stamps }))
  )
  const stored = await Permission.query().where({ applicationId }).orderBy('id')
  const manage = manageApplication(client, code)
  const roles = []
  for (let left = count; left > 0; left -= stored.length) {
    const role = await manage.role()
    roles.push(role)
    const grants = stored.slice(0, left).map(({ id }) => {
      return { role_id: role.id, permission_id: id, access_level: 'allowed', condition }
    })
    await insertInParts('role_permissions', grants)
  }
  return { code, roles, permissions: stored }
}

async function insertInParts(table: string, rows: Row[]) {
  for (let start = 0; start < rows.length; start += 500) {
    await db.table(table).multiInsert(rows.slice(start, start + 500))
  }
}

const matrixPath = inApplication('role-permissions')

test.group('Limits on stored rows', () => {
  test('concurrent requests cannot exceed the limit of {limit} {resource}')
    .with(BOUNDS)
    .run(async ({ client, assert, cleanup }, bound) => {
      const { id, code } = await anApplication()
      cleanup(await fill(bound, bound.limit - 2, bound.scope?.(id)))
      const admin = superAdmin(client)
      const path = bound.path(code)
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => admin.post(path, bound.body()))
      )
      const refused = responses.filter((response) => response.status() !== 201)
      assert.lengthOf(refused, 3)
      for (const response of refused) {
        response.assertProblem(409, bound.code, { limit: bound.limit })
      }
      const list = await admin.get(path)
      list.assertStatus(200)
      if (bound.scope) assert.lengthOf(list.body().data, bound.limit)
    })
    .timeout(60_000)

  test('all types of an application together have at most 500 templates', async ({
    client,
    assert,
  }) => {
    const paths = await nearTemplateLimit(client)
    const admin = superAdmin(client)
    const responses = await Promise.all(
      [...paths, ...paths].map((path) => admin.post(path, { key: uniqueCode(), name: 'Another' }))
    )
    const refused = responses.filter((response) => response.status() !== 201)
    assert.lengthOf(refused, 3)
    for (const response of refused)
      response.assertProblem(409, 'TOO_MANY_TEMPLATES', { limit: 500 })
  })

  test('a user has at most 10,000 overrides on all resources of an application', async ({
    client,
    assert,
  }) => {
    const { id: applicationId, code } = await anApplication()
    const manage = manageApplication(client, code)
    const [first, second] = [await manage.permission(), await manage.permission()]
    const email = uniqueEmail()
    const filler = Array.from({ length: 9_999 }, (_, index) => ({
      email,
      resource_type: 'shop',
      resource_id: String(index),
      permission_id: first.id,
      granted: true,
      created_at: NOW,
    }))
    await insertInParts('resource_overrides', filler)
    const admin = superAdmin(client)
    const put = (resource: string, ...ids: number[]) =>
      admin.put(overridesPath(email, code, 'shop', resource), {
        permissions: ids.map((permissionId) => ({ permissionId, granted: true })),
      })
    const responses = await Promise.all(['a', 'b', 'c'].map((resource) => put(resource, first.id)))
    const refused = responses.filter((response) => response.status() !== 200)
    assert.lengthOf(refused, 2)
    for (const response of refused)
      response.assertProblem(409, 'TOO_MANY_OVERRIDES', { limit: 10_000 })
    const more = await put('0', first.id, second.id)
    more.assertProblem(409, 'TOO_MANY_OVERRIDES')
    const replaced = await put('0', second.id)
    replaced.assertStatus(200)
    const removed = await put('0')
    removed.assertStatus(200)
    const rows = await ResourceOverride.query().where({ email })
    assert.lengthOf(rows, 9_999)
    const permissions = await Permission.query().where({ applicationId })
    assert.lengthOf(permissions, 2)
  }).timeout(60_000)

  test('the roles of an application together grant at most 50,000 permissions', async ({
    client,
  }) => {
    const { code, roles, permissions } = await grantingRoles(client, MAX_ROLE_PERMISSIONS)
    const another = await manageApplication(client, code).role()
    const permissionId = permissions[0].id
    const full = { limit: MAX_ROLE_PERMISSIONS }
    const admin = superAdmin(client)
    const grant = { permissionId, accessLevel: 'allowed' }
    const ofAnother = inApplication(`roles/${another.id}/permissions`)(code)
    const put = await admin.put(ofAnother, { permissions: [grant] })
    put.assertProblem(409, 'TOO_MANY_ROLE_PERMISSIONS', full)
    const change = (roleId: number, accessLevel: string | null) =>
      admin.patch(matrixPath(code), { changes: [{ roleId, permissionId, accessLevel }] })
    const refused = await change(another.id, 'allowed')
    refused.assertProblem(409, 'TOO_MANY_ROLE_PERMISSIONS', full)
    const removed = await change(roles[0].id, null)
    removed.assertStatus(200)
    const added = await admin.put(ofAnother, { permissions: [grant] })
    added.assertStatus(200)
  }).timeout(60_000)

  test('the conditions of the roles of an application together have at most 2 MiB', async ({
    client,
    assert,
  }) => {
    const condition = `'${'č'.repeat(511)}' != ''`
    const bytes = Buffer.byteLength(condition)
    const count = Math.ceil(MAX_CONDITION_BYTES / bytes) + 1
    const { code, roles, permissions } = await grantingRoles(client, count, condition)
    const role = inApplication(`roles/${roles[0].id}/permissions`)(code)
    const admin = superAdmin(client)
    const read = async () => (await admin.get(role)).body().data as Row[]
    const before = await read()
    const full = { limit: MAX_CONDITION_BYTES }
    const permissionId = permissions[0].id
    const change = (text: string | null) =>
      admin.patch(matrixPath(code), {
        changes: [{ roleId: roles[0].id, permissionId, accessLevel: 'allowed', condition: text }],
      })
    const longer = await change(`${condition} && true`)
    longer.assertProblem(409, 'CONDITIONS_TOO_LARGE', full)
    const another = await manageApplication(client, code).role()
    const put = await admin.put(inApplication(`roles/${another.id}/permissions`)(code), {
      permissions: [{ permissionId, accessLevel: 'allowed', condition: 'true' }],
    })
    put.assertProblem(409, 'CONDITIONS_TOO_LARGE', full)
    assert.deepEqual(await read(), before)
    const shorter = await change('true')
    shorter.assertStatus(200)
    const without = await admin.put(inApplication(`roles/${another.id}/permissions`)(code), {
      permissions: [{ permissionId, accessLevel: 'allowed' }],
    })
    without.assertStatus(200)
  }).timeout(60_000)

  test('the conditions of all overrides of a user in an application have at most 2 MiB', async ({
    client,
  }) => {
    const { code } = await anApplication()
    const permission = await manageApplication(client, code).permission()
    const permissionId = permission.id
    const email = uniqueEmail()
    const condition = `'${'č'.repeat(495)}' != ''`
    const rows = Array.from(
      { length: MAX_CONDITION_BYTES / Buffer.byteLength(condition) },
      (_, index) => ({
        email,
        resource_type: 'shop',
        resource_id: String(index),
        permission_id: permissionId,
        granted: true,
        created_at: NOW,
        condition,
      })
    )
    await insertInParts('resource_overrides', rows)
    const admin = superAdmin(client)
    const full = { limit: MAX_CONDITION_BYTES }
    const put = (resource: string, text: string | null) =>
      admin.put(overridesPath(email, code, 'shop', resource), {
        permissions: [{ permissionId, granted: true, condition: text }],
      })
    const another = await put('another', condition)
    another.assertProblem(409, 'CONDITIONS_TOO_LARGE', full)
    const longer = await put('0', `'${'č'.repeat(900)}' != ''`)
    longer.assertProblem(409, 'CONDITIONS_TOO_LARGE', full)
    const policy = {
      application: code,
      permissions: [{ code: permission.code, type: 'binary' }],
      assignments: {
        overrides: ['new', 'other'].map((resourceId) => {
          const row = { email, resourceType: 'shop', resourceId, permission: permission.code }
          return { ...row, granted: true, condition }
        }),
      },
    }
    const planned = await admin.post(inApplication('policy/plan?assignments=true')(code), policy)
    planned.assertProblem(409, 'CONDITIONS_TOO_LARGE', {
      ...full,
      field: 'assignments.overrides.0',
    })
    const same = await put('0', condition)
    same.assertStatus(200)
    const without = await put('another', null)
    without.assertStatus(200)
  }).timeout(60_000)

  test('a full list still accepts an existing administrator', async ({ client, cleanup }) => {
    const { id, code } = await anApplication()
    const email = uniqueEmail()
    await manageApplication(client, code).administrator(email)
    const bound = BOUNDS.find(({ resource }) => resource === 'administrators of an application')!
    cleanup(await fill(bound, bound.limit, { application_id: id }))
    const again = await superAdmin(client).post(bound.path(code), { email })
    again.assertStatus(200)
  })
})
