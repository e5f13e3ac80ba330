import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import emitter from '@adonisjs/core/services/emitter'
import AccessChanged from '#core/events/access_changed'
import { transaction } from '#core/database/transaction'
import { type Destination, insertRows } from '#core/database/insert_rows'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { dumpDatabase } from '#tests/helpers/database_dump'
import { overridesPath } from '#tests/helpers/management'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { aShop } from '#tests/functional/checks/shop'

const ORDERS = [null, '1', '2']
type Shop = Awaited<ReturnType<typeof aShop>>

interface Flip {
  email: string
  permission: string
  resourceType: string | null
  resourceId: string | null
  before: { level: string | null; source: string | null }
  after: { level: string | null; source: string | null }
  conditional?: true
  condition?: string
  missing?: string
}

interface Preview {
  total: number
  gained: number
  lost: number
  conditional: number
  flips: Flip[]
  nextCursor: string | null
}

const previewPath = (app: string) => `/api/applications/${app}/access/preview`

async function preview(
  client: ApiClient,
  app: string,
  changes: object[],
  page: object = { limit: 1_000 }
): Promise<Preview> {
  const response = await superAdmin(client).post(previewPath(app), { changes, ...page })
  response.assertStatus(200)
  return response.body().data
}

type Levels = Map<string, string | null>

/** What checks of a user decide, by permission and order. */
async function levelsOf(client: ApiClient, app: string, emails: string[]): Promise<Levels> {
  const levels: Levels = new Map()
  for (const email of emails) {
    for (const resourceId of ORDERS) {
      const resource = resourceId === null ? {} : { resourceType: 'order', resourceId }
      const response = await client.post('/api/check/effective').json({ app, email, ...resource })
      for (const { code, accessLevel } of response.body().data) {
        levels.set(keyOf({ email, permission: code, resourceId }), accessLevel)
      }
    }
  }
  return levels
}

const keyOf = ({
  email,
  permission,
  resourceId,
}: Omit<Flip, 'resourceType' | 'before' | 'after'>) => `${email} ${permission} ${resourceId}`

/** The next change, and the request that makes it. */
type Made = (shop: Shop) => {
  change: { op: string; email?: string }
  make: (admin: ReturnType<typeof superAdmin>) => Promise<{ status(): number }>
}

const NEWCOMER = uniqueEmail('newcomer')

const CHANGES: Record<string, Made> = {
  replaceRolePermissions({ app, clerk, permissions: { orders, audit } }) {
    const permissions = [
      { permissionId: orders.id, accessLevel: 'edit' },
      { permissionId: audit.id, accessLevel: 'allowed' },
    ]
    return {
      change: { op: 'replaceRolePermissions', roleId: clerk.id, permissions } as { op: string },
      make: (admin) =>
        admin.put(`/api/applications/${app}/roles/${clerk.id}/permissions`, { permissions }),
    }
  },
  createRole: ({ app }) => ({
    change: { op: 'createRole', code: 'auditor' } as { op: string },
    make: (admin) => admin.post(`/api/applications/${app}/roles`, { code: 'auditor' }),
  }),
  deleteRole: ({ app, clerk }) => ({
    change: { op: 'deleteRole', roleId: clerk.id } as { op: string },
    make: (admin) => admin.delete(`/api/applications/${app}/roles/${clerk.id}`),
  }),
  replaceUserRoles: ({ app, clerk }) => ({
    change: { op: 'replaceUserRoles', email: NEWCOMER, roleIds: [clerk.id] } as { op: string },
    make: (admin) => admin.put(`/api/users/${NEWCOMER}/apps/${app}/roles`, { roleIds: [clerk.id] }),
  }),
  replaceOverrides({ app, email, permissions: { exporting, orders } }) {
    const permissions = [
      { permissionId: exporting.id, granted: true },
      { permissionId: orders.id, granted: false },
    ]
    const resource = { resourceType: 'order', resourceId: '2' }
    return {
      change: { op: 'replaceOverrides', email, ...resource, permissions } as { op: string },
      make: (admin) => admin.put(overridesPath(email, app, 'order', '2'), { permissions }),
    }
  },
  addAdministrator: ({ app, email }) => ({
    change: { op: 'addAdministrator', email },
    make: (admin) => admin.post(`/api/users/admins/apps/${app}`, { email }),
  }),
  deletePermission: ({ app, permissions: { orders } }) => ({
    change: { op: 'deletePermission', permissionId: orders.id } as { op: string },
    make: (admin) => admin.delete(`/api/applications/${app}/permissions/${orders.id}`),
  }),
  updatePermission: ({ app, permissions: { orders } }) => ({
    change: {
      op: 'updatePermission',
      permissionId: orders.id,
      global: true,
      force: true,
    } as { op: string },
    make: (admin) =>
      admin.put(`/api/applications/${app}/permissions/${orders.id}?force=true`, { global: true }),
  }),
}

test.group('Preview of', () => {
  for (const [op, made] of Object.entries(CHANGES)) {
    test(`${op}: lists what the endpoint then changes, and changes nothing`, async ({
      client,
      assert,
    }) => {
      const shop = await aShop(client)
      const { app, email } = shop
      // Makes order 2 a resource that an override names.
      const denied = [{ permissionId: shop.permissions.audit.id, granted: false }]
      await shop.shop.overrides(uniqueEmail(), ['order', '2'], denied)
      const emails = [email, NEWCOMER]
      const before = await levelsOf(client, app, emails)
      const { change, make } = made(shop)
      const stored = await dumpDatabase()
      const { flips, ...counts } = await preview(client, app, [change])
      assert.equal(await dumpDatabase(), stored)

      const response = await make(superAdmin(client))
      assert.isBelow(response.status(), 300)
      const after = await levelsOf(client, app, emails)
      const differing = [...before.keys()].filter(
        (key) => before.get(key) !== (after.get(key) ?? null)
      )
      assert.sameMembers(flips.map(keyOf), differing)
      for (const flip of flips) {
        assert.equal(flip.before.level, before.get(keyOf(flip)) ?? null)
        assert.equal(flip.after.level, after.get(keyOf(flip)) ?? null)
      }
      assert.equal(counts.total, flips.length)
      assert.equal(counts.gained + counts.lost, flips.length)
      assert.isNull(counts.nextCursor)
    })
  }

  test('removeAdministrator: says where the level comes from afterwards', async ({
    client,
    assert,
  }) => {
    const { app, email } = await aShop(client)
    await addApplicationAdmin(email, app)
    const { flips, gained, lost } = await preview(client, app, [
      { op: 'removeAdministrator', email: email.toUpperCase() },
    ])
    const orders = flips.find(({ permission, resourceId }) => {
      return permission === 'orders' && resourceId === null
    })
    assert.deepEqual(orders, {
      email,
      permission: 'orders',
      resourceType: null,
      resourceId: null,
      before: { level: 'edit', source: 'app_admin' },
      after: { level: 'view', source: 'role' },
    })
    assert.equal(gained, 0)
    assert.equal(lost, flips.length)
  })

  test('deletePermission: says what administrators hold on one that does not exist', async ({
    client,
    assert,
  }) => {
    const { app, application, permissions } = await aShop(client)
    const admin = await anAdministratorOf(application)
    const { flips } = await preview(client, app, [
      { op: 'deletePermission', permissionId: permissions.audit.id },
    ])
    assert.deepEqual(
      flips.map(({ email, resourceId, before, after }) => [email, resourceId, before, after]),
      [null, '1'].map((resourceId) => [
        admin,
        resourceId,
        { level: 'allowed', source: 'app_admin' },
        { level: 'edit', source: 'app_admin' },
      ])
    )
  })

  test('several changes: tries them out together, and knows new roles by code', async ({
    client,
    assert,
  }) => {
    const { app, email, permissions } = await aShop(client)
    const newcomer = uniqueEmail()
    const stored = await dumpDatabase()
    const { flips } = await preview(client, app, [
      { op: 'createRole', code: 'auditor' },
      {
        op: 'replaceRolePermissions',
        role: 'auditor',
        permissions: [{ permissionId: permissions.audit.id, accessLevel: 'allowed' }],
      },
      { op: 'replaceUserRoles', email: newcomer, roles: [{ role: 'auditor' }] },
      { op: 'replaceUserRoles', email, roleIds: [] },
      { op: 'replaceUserRoles', email, roles: [{ role: 'clerk' }] },
    ])
    assert.equal(await dumpDatabase(), stored)
    assert.deepEqual(
      flips.map((flip) => [flip.email, flip.permission, flip.resourceId]),
      [
        [newcomer, 'audit', null],
        [newcomer, 'audit', '1'],
      ]
    )
  })
})

test.group('A preview', () => {
  test('announces nothing', async ({ client, assert, cleanup }) => {
    const { app, email, clerk } = await aShop(client)
    const announced: unknown[] = []
    cleanup(emitter.on(AccessChanged, ({ scopes }) => void announced.push(...scopes)))
    await preview(client, app, [
      { op: 'addAdministrator', email },
      { op: 'deleteRole', roleId: clerk.id },
    ])
    assert.isEmpty(announced)
  })

  test('is for administrators, and finds nothing of other applications', async ({
    client,
    assert,
  }) => {
    const { app, application, email } = await aShop(client)
    const admin = signedIn(client, await anAdministratorOf(application))
    const other = await aShop(client)
    const change = { op: 'addAdministrator', email: other.email }
    const allowed = await admin.post(previewPath(app), { changes: [change] })
    allowed.assertStatus(200)
    assert.isTrue(allowed.body().data.flips.every((flip: Flip) => flip.before.source === null))
    const denied = await admin.post(previewPath(other.app), { changes: [change] })
    denied.assertProblem(403, 'FORBIDDEN')
    const clerk = await signedIn(client, email).post(previewPath(app), { changes: [change] })
    clerk.assertProblem(403, 'FORBIDDEN')
  })

  test('refuses what the endpoints refuse, and says which change it was', async ({ client }) => {
    const { app, email, clerk, permissions } = await aShop(client)
    const { role: foreign } = await aForeignRole(client)
    const fine = { op: 'createRole', code: 'fine' }
    const refused: [object, number, string, object][] = [
      [{ op: 'createRole', code: 'clerk' }, 409, 'ROLE_EXISTS', { change: 1 }],
      [{ op: 'deleteRole', roleId: foreign }, 404, 'ROLE_NOT_FOUND', { change: 1 }],
      [{ op: 'deleteRole', role: 'nobody' }, 404, 'ROLE_NOT_FOUND', { change: 1 }],
      [{ op: 'removeAdministrator', email }, 404, 'ADMINISTRATOR_NOT_FOUND', { change: 1 }],
      [
        { op: 'updatePermission', permissionId: permissions.orders.id, type: 'binary' },
        409,
        'PERMISSION_IN_USE',
        { change: 1, roles: 1, overrides: 1 },
      ] as [object, number, string, object],
      [
        {
          op: 'replaceRolePermissions',
          roleId: clerk.id,
          permissions: [
            { permissionId: permissions.orders.id, accessLevel: 'view', condition: '1 +' },
          ],
        },
        400,
        'CONDITION_INVALID',
        { field: 'changes.1.permissions.0.condition' },
      ] as [object, number, string, object],
      [
        { op: 'replaceUserRoles', email, roles: [{ role: 'clerk' }, { role: 'nobody' }] },
        400,
        'VALIDATION_ERROR',
        fieldError('changes.1.roles.1.role', 'exists'),
      ] as [object, number, string, object],
      [
        { op: 'replaceUserRoles', email, roleIds: [foreign] },
        400,
        'VALIDATION_ERROR',
        fieldError('changes.1.roleIds.0', 'exists'),
      ] as [object, number, string, object],
      [
        { op: 'addAdministrator' },
        400,
        'VALIDATION_ERROR',
        fieldError('changes.1.email', 'required'),
      ] as [object, number, string, object],
      [{ op: 'dropTables' }, 400, 'VALIDATION_ERROR', fieldError('changes.1.op', 'enum')] as [
        object,
        number,
        string,
        object,
      ],
    ]
    for (const [change, status, code, details] of refused) {
      const response = await superAdmin(client).post(previewPath(app), { changes: [fine, change] })
      response.assertProblem(status, code, details)
    }
    const none = await superAdmin(client).get(`/api/applications/${app}/roles`)
    none.assertBodyContains({ data: [{ code: 'clerk' }] })
  })

  test('refuses lists that are empty, too long or no lists', async ({ client }) => {
    const { code: app } = await anApplication()
    const change = { op: 'createRole', code: 'fine' }
    const refused = { required: null, minLength: [], maxLength: Array(101).fill(change), array: {} }
    for (const [rule, changes] of Object.entries(refused)) {
      const response = await superAdmin(client).post(previewPath(app), { changes })
      response.assertProblem(400, 'VALIDATION_ERROR', fieldError('changes', rule))
    }
    const item = await superAdmin(client).post(previewPath(app), { changes: [change, null] })
    item.assertProblem(400, 'VALIDATION_ERROR', fieldError('changes.1', 'object'))
  })

  test('marks flips that depend on what a request says', async ({ client, assert }) => {
    const { app, email, clerk, permissions } = await aShop(client)
    const { flips, conditional, lost } = await preview(client, app, [
      {
        op: 'replaceRolePermissions',
        roleId: clerk.id,
        permissions: [
          { permissionId: permissions.orders.id, accessLevel: 'view', condition: 'context.onSite' },
          { permissionId: permissions.exporting.id, accessLevel: 'allowed' },
          { permissionId: permissions.audit.id, accessLevel: 'allowed', condition: 'context.late' },
        ],
      },
    ])
    assert.deepEqual(flips, [
      {
        email,
        permission: 'orders',
        resourceType: null,
        resourceId: null,
        before: { level: 'view', source: 'role' },
        after: { level: null, source: null },
        conditional: true,
        condition: 'context.onSite',
        missing: 'context.onSite',
      },
    ])
    assert.equal(lost, 1)
    // Auditing, as a whole and on order 1.
    assert.equal(conditional, 2)
  })

  test('evaluates conditions with the properties in the catalog', async ({ client, assert }) => {
    const { app, clerk, permissions, shop } = await aShop(client)
    const { id: entityId } = await shop.entity({ code: 'order' })
    const resources = [
      { resourceId: '7', properties: { status: 'open' } },
      { resourceId: '8', properties: { status: 'closed' } },
    ]
    const path = `/api/applications/${app}/entities/${entityId}/resources`
    const saved = await superAdmin(client).put(path, { resources })
    saved.assertStatus(200)
    const condition = 'resource.properties.status == "open"'
    const audit = { permissionId: permissions.audit.id, accessLevel: 'allowed', condition }
    const { flips } = await preview(client, app, [
      { op: 'replaceRolePermissions', roleId: clerk.id, permissions: [audit] },
    ])
    assert.deepEqual(
      flips.filter(({ permission }) => permission === 'audit').map(({ resourceId }) => resourceId),
      ['7']
    )
  })
})

test.group('Pages of a preview', () => {
  test('list every resource of a large catalog once', async ({ client, assert }) => {
    const { app, clerk, email, permissions, shop } = await aShop(client)
    const { id: entityId } = await shop.entity({ code: 'order' })
    await catalog(entityId, 2_500)
    const newcomer = uniqueEmail('a')
    await shop.userRoles(newcomer, [clerk.id])
    const changes = [
      {
        op: 'replaceRolePermissions',
        roleId: clerk.id,
        permissions: [{ permissionId: permissions.audit.id, accessLevel: 'allowed' }],
      },
    ]
    const found: Flip[] = []
    let page = await preview(client, app, changes)
    const { total, gained, lost } = page
    for (;;) {
      found.push(...page.flips)
      assert.include(page, { total, gained, lost })
      if (page.nextCursor === null) break
      page = await preview(client, app, changes, { limit: 1_000, cursor: page.nextCursor })
    }
    // The application, the catalog and order 1; the overrides on order 1 hide two losses.
    assert.equal(total, 2 * 3 * 2_502 - 2)
    assert.lengthOf(found, total)
    assert.equal(gained, 2 * 2_502)
    assert.lengthOf(new Set(found.map((flip) => JSON.stringify(flip))), total)
    const positions = found.map((flip) => [flip.email, flip.permission, flip.resourceId ?? ''])
    assert.deepEqual(positions, positions.toSorted(inOrder))
    assert.deepEqual(new Set(found.map((flip) => flip.email)), new Set([email, newcomer]))
  }).timeout(60_000)

  test('belong to their preview', async ({ client }) => {
    const { app, clerk } = await aShop(client)
    const changes = [{ op: 'deleteRole', roleId: clerk.id }]
    const { nextCursor } = await preview(client, app, changes, { limit: 1 })
    for (const [where, asked, cursor] of [
      [app, [{ op: 'createRole', code: 'other' }], nextCursor],
      [(await aShop(client)).app, changes, nextCursor],
      [app, changes, 'made up'],
    ] as const) {
      const response = await superAdmin(client).post(previewPath(where), { changes: asked, cursor })
      response.assertProblem(400, 'VALIDATION_ERROR', fieldError('cursor', 'cursor'))
    }
  })

  test('are refused beyond the limits of a preview', async ({ client }) => {
    const { app, clerk, permissions, shop } = await aShop(client)
    const { id: entityId } = await shop.entity({ code: 'order' })
    await catalog(entityId, 20_001)
    const audit = { permissionId: permissions.audit.id, accessLevel: 'allowed' }
    const withCondition = { ...audit, condition: 'resource.properties.status == "open"' }
    const response = await superAdmin(client).post(previewPath(app), {
      changes: [{ op: 'replaceRolePermissions', roleId: clerk.id, permissions: [withCondition] }],
    })
    const details = { exceeded: 'resourcesWithConditions', limit: 20_000 }
    response.assertProblem(409, 'PREVIEW_TOO_LARGE', details)
    await preview(client, app, [
      { op: 'replaceRolePermissions', roleId: clerk.id, permissions: [audit] },
    ])
  })

  test('are refused if their conditions cost too much', async ({ client }) => {
    const { app, clerk, permissions, shop } = await aShop(client)
    const { id: entityId } = await shop.entity({ code: 'order' })
    await catalog(entityId, 2_000)
    const hundred = JSON.stringify(Array.from({ length: 100 }, (_, index) => index))
    const condition = `${hundred}.all(a, ${hundred}.all(b, a + b >= 0))`
    const response = await superAdmin(client).post(previewPath(app), {
      changes: [
        {
          op: 'replaceRolePermissions',
          roleId: clerk.id,
          permissions: [{ permissionId: permissions.audit.id, accessLevel: 'allowed', condition }],
        },
      ],
    })
    const details = { exceeded: 'conditionCost', limit: 300_000_000 }
    response.assertProblem(409, 'PREVIEW_TOO_LARGE', details)
  })
})

const fieldError = (field: string, rule: string) => ({ errors: [{ field, rule }] })

const inOrder = (a: string[], b: string[]) => {
  const place = a.findIndex((value, index) => value !== b[index])
  return place === -1 ? 0 : Buffer.compare(Buffer.from(a[place]), Buffer.from(b[place]))
}

async function aForeignRole(client: ApiClient) {
  const { clerk } = await aShop(client)
  return { role: clerk.id }
}

async function catalog(entityId: number, count: number) {
  const at = new Date().toISOString()
  const rows = Array.from({ length: count }, (_, index) => ({
    entity_id: entityId,
    resource_id: `r${index}`,
    properties: '{}',
    created_at: at,
    updated_at: at,
  }))
  const columns: Destination['columns'] = {
    entity_id: 'integer',
    resource_id: 'text',
    properties: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  }
  await transaction((trx) => insertRows({ table: 'resources', columns }, rows, trx))
}
