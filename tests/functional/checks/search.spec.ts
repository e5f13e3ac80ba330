import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { searchSubjects } from '#app/checks/actions/search_subjects'
import User from '#app/profiles/models/user'
import { buildEmptyWorld, storeWorlds } from '#tests/helpers/access_world'
import { deleteWorlds } from '#tests/helpers/delete_worlds'
import { manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { aSuperAdmin, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { ORDER_1, aShop } from '#tests/functional/checks/shop'

type Shop = Awaited<ReturnType<typeof aShop>>

const OPEN = 'resource.properties.status == "open"'

function searching(client: ApiClient) {
  const search = async (path: string, body: object) => {
    const response = await client.post(`/api/check/search/${path}`).json(body)
    response.assertStatus(200)
    return response.body().data
  }
  return {
    subjects: (body: object) => search('subjects', body),
    resources: (body: object) => search('resources', body),
    permissions: (body: object) => search('permissions', body),
  }
}

/** Of the application's own users, without the super admins of the service. */
const own = (results: { email: string }[], { email }: { email: string }) =>
  results.filter((each) => each.email.endsWith('@shop.example') || each.email === email)

const aCustomer = (name: string) => uniqueEmail(name).replace('tests', 'shop')

/** Saves orders in the catalog, by id and status. */
async function catalogue(client: ApiClient, { app }: Shop, orders: Record<string, string | null>) {
  const { id } = await manageApplication(client, app).entity({ code: 'order' })
  const resources = Object.entries(orders).map(([resourceId, status]) => ({
    resourceId,
    label: `Order ${resourceId}`,
    ...(status !== null && { properties: { status } }),
  }))
  const path = `/api/applications/${app}/entities/${id}/resources`
  ;(await superAdmin(client).put(path, { resources })).assertStatus(200)
}

test.group('Search for subjects', () => {
  test('finds everyone whose check is allowed, with level and source', async ({
    assert,
    client,
    cleanup,
  }) => {
    const shop = await aShop(client)
    const { app, permissions, email } = shop
    const admin = aCustomer('admin')
    await addApplicationAdmin(admin, app)
    const granted = aCustomer('granted')
    const orders = [{ permissionId: permissions.orders.id, granted: true, accessLevel: 'view' }]
    await shop.shop.overrides(granted, ['order', '1'], orders)
    const root = await aSuperAdmin(cleanup)
    const search = searching(client)

    const everywhere = await search.subjects({ app, permission: 'orders' })
    assert.sameDeepMembers(own(everywhere.results, shop), [
      { email: admin, accessLevel: 'edit', source: 'app_admin' },
      { email, accessLevel: 'view', source: 'role' },
    ])
    const byRoot = { email: root, accessLevel: 'edit', source: 'superadmin' }
    assert.deepInclude(everywhere.results, byRoot)
    assert.deepEqual(everywhere.conditional, [])
    assert.equal(everywhere.total, everywhere.results.length)
    assert.isNull(everywhere.nextCursor)

    const onOrder = await search.subjects({ app, permission: 'orders', ...ORDER_1 })
    assert.sameDeepMembers(own(onOrder.results, shop), [
      { email: admin, accessLevel: 'edit', source: 'app_admin' },
      { email, accessLevel: 'edit', source: 'override' },
      { email: granted, accessLevel: 'view', source: 'override' },
    ])
    const editing = await search.subjects({ app, permission: 'orders', level: 'edit', ...ORDER_1 })
    assert.sameMembers(
      own(editing.results, shop).map((each) => each.email),
      [admin, email]
    )
    const denied = await search.subjects({ app, permission: 'export', ...ORDER_1 })
    assert.notInclude(
      denied.results.map((each: { email: string }) => each.email),
      email
    )
    const emails = onOrder.results.map((each: { email: string }) => each.email)
    assert.deepEqual(emails, [...emails].sort())
  })

  test('leaves out deactivated users, and finds those without a user record', async ({
    assert,
    client,
  }) => {
    const shop = await aShop(client)
    const { app, email, clerk } = shop
    const stranger = aCustomer('stranger')
    await shop.shop.userRoles(stranger, [clerk.id])
    await User.query().where({ email }).update({ active: false })
    const { results } = await searching(client).subjects({ app, permission: 'orders' })
    assert.deepEqual(own(results, shop), [{ email: stranger, accessLevel: 'view', source: 'role' }])
  })

  test('reads on from page to page, with one total', async ({ assert, client }) => {
    const shop = await aShop(client)
    const { app, clerk } = shop
    const customers = Array.from({ length: 7 }, (_, index) => aCustomer(`c${index}`))
    for (const email of customers) await shop.shop.userRoles(email, [clerk.id])
    const search = searching(client)
    const question = { app, permission: 'orders' }
    const whole = await search.subjects(question)
    const found: { email: string }[] = []
    let cursor: string | null = null
    do {
      const page: any = await search.subjects({ ...question, limit: 3, ...(cursor && { cursor }) })
      assert.isAtMost(page.results.length, 3)
      assert.equal(page.total, whole.total)
      found.push(...page.results)
      cursor = page.nextCursor
    } while (cursor)
    assert.deepEqual(found, whole.results)
    assert.lengthOf(own(found, shop), 8)

    const uncounted = await search.subjects({ ...question, limit: 1, count: false })
    assert.isNull(uncounted.total)
    const { nextCursor } = uncounted
    const later = await search.subjects({ ...question, limit: 1, cursor: nextCursor, count: true })
    assert.equal(later.total, whole.total)
  })

  test('merges many roles, each of which has more users than it reads at once', async ({
    assert,
  }) => {
    const world = buildEmptyWorld({ people: 0, applications: 1 })
    const [app] = world.applications
    world.permissions.push({ app, code: 'p', type: 'binary', global: false, groupName: null })
    const roles = Array.from({ length: 12 }, (_, index) => `role-${index}`)
    for (const role of roles) {
      world.roles.push({ app, role })
      world.rolePermissions.push({ app, role, permission: 'p', level: 'allowed' })
    }
    // The first addresses have one role, the others have one or two of all.
    const emails = Array.from(
      { length: 500 },
      (_, index) => `${String(index).padStart(4, '0')}-${app}@worlds.example`
    )
    for (const [index, email] of emails.entries()) {
      const held = index < 150 ? [0] : [index % 12, (index * 5) % 12]
      for (const role of new Set(held)) {
        world.userRoles.push({ email, app, role: roles[role] })
      }
    }
    await storeWorlds([world])
    for (const limit of [1, 20, 100, 300, 1_000]) {
      const found: string[] = []
      const scope = { app, resourceType: '', resourceId: '' }
      for (let cursor: string | undefined; ;) {
        const page = { limit, cursor, count: false }
        const { found: users, nextCursor } = await searchSubjects(
          { scope, permission: 'p' },
          page,
          'test'
        )
        found.push(...users.map(({ item }) => item.key))
        if (nextCursor === null) break
        assert.lengthOf(users, limit)
        cursor = nextCursor
      }
      const theirs = found.filter((email) => email.endsWith('@worlds.example'))
      assert.deepEqual(theirs, emails, `limit ${limit}`)
    }
    await deleteWorlds()
  }).timeout(60_000)

  test('names the condition of those whose check needs an attribute', async ({
    assert,
    client,
  }) => {
    const shop = await aShop(client)
    const { app, email, clerk, permissions } = shop
    await shop.shop.rolePermissions(clerk.id, [
      { permissionId: permissions.orders.id, accessLevel: 'edit', condition: OPEN },
    ])
    const question = { app, permission: 'orders', resourceType: 'order', resourceId: '2' }
    const search = searching(client)
    const unknown = await search.subjects(question)
    assert.lengthOf(own(unknown.results, shop), 0)
    assert.deepEqual(unknown.conditional, [
      {
        email,
        accessLevel: 'edit',
        source: 'role',
        conditional: true,
        condition: OPEN,
        missing: 'resource.properties.status',
      },
    ])
    const status = (text: string) => ({ attributes: { resource: { status: text } } })
    const open = await search.subjects({ ...question, ...status('open') })
    assert.deepEqual(own(open.results, shop), [{ email, accessLevel: 'edit', source: 'role' }])
    assert.deepEqual(open.conditional, [])
    const closed = await search.subjects({ ...question, ...status('closed') })
    assert.deepEqual([...own(closed.results, shop), ...closed.conditional], [])
  })

  test('evaluates a condition about the account of each user', async ({ assert, client }) => {
    const shop = await aShop(client)
    const { app, email, clerk, permissions } = shop
    const condition = 'subject.id == context.id'
    await shop.shop.rolePermissions(clerk.id, [
      { permissionId: permissions.orders.id, accessLevel: 'edit', condition },
    ])
    const other = aCustomer('other')
    await shop.shop.userRoles(other, [clerk.id])
    await signedIn(client, email).get('/api/profile/me')
    const { provenAccount } = await User.findByOrFail({ email })
    for (const [id, expected] of [
      [provenAccount, email],
      [other, other],
    ]) {
      const body = { app, permission: 'orders', attributes: { context: { id } } }
      const { results } = await searching(client).subjects(body)
      assert.deepEqual(own(results, shop), [
        { email: expected!, accessLevel: 'edit', source: 'role' },
      ])
    }
  })

  test('an unknown application is a problem, an unknown permission is not', async ({
    assert,
    client,
  }) => {
    const { app } = await aShop(client)
    const body = { app: uniqueCode(), permission: 'orders' }
    const unknown = await client.post('/api/check/search/subjects').json(body)
    unknown.assertProblem(404, 'APPLICATION_NOT_FOUND')
    const admin = aCustomer('admin')
    await addApplicationAdmin(admin, app)
    for (const permission of ['nothing-like-it', '__proto__', 'constructor']) {
      const { results } = await searching(client).subjects({ app, permission })
      assert.deepInclude(results, { email: admin, accessLevel: 'edit', source: 'app_admin' })
    }
  })

  test('a viewer of the application gets what servers get', async ({ assert, client }) => {
    const { app, email } = await aShop(client)
    const viewer = signedIn(client, await panelPerson(client, { [app]: 'view' }))
    const path = `/api/applications/${app}/access/search/subjects`
    const question = { permission: 'orders', ...ORDER_1, limit: 1000 }
    const response = await viewer.post(path, { ...question, app: 'auth' })
    response.assertStatus(200)
    const data = await searching(client).subjects({ app, ...question })
    assert.deepEqual(response.body(), { success: true, data })
    const conditional = await viewer.post(path, { permission: 'orders', limit: 1 })
    assert.isString(conditional.body().data.nextCursor)
    ;(await signedIn(client, email).post(path, question)).assertProblem(403, 'FORBIDDEN')
    const unknown = `/api/applications/${uniqueCode()}/access/search/subjects`
    ;(await superAdmin(client).post(unknown, question)).assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})

test.group('Search for resources', () => {
  test('finds catalogued resources, and those that overrides name', async ({ assert, client }) => {
    const shop = await aShop(client)
    const { app, email } = shop
    await catalogue(client, shop, { '2': 'open', '10': null })
    const question = { email, app, permission: 'orders', resourceType: 'order' }
    const byRole = { accessLevel: 'view', source: 'role' }
    assert.deepEqual(await searching(client).resources(question), {
      everywhere: true,
      results: [
        { resourceId: '1', label: null, accessLevel: 'edit', source: 'override' },
        { resourceId: '10', label: 'Order 10', ...byRole },
        { resourceId: '2', label: 'Order 2', ...byRole },
      ],
      except: [],
      conditional: [],
      nextCursor: null,
      total: 3,
    })
    const exporting = await searching(client).resources({ ...question, permission: 'export' })
    assert.isTrue(exporting.everywhere)
    assert.deepEqual(exporting.except, ['1'])
    assert.equal(exporting.total, 2)
    const editing = await searching(client).resources({ ...question, level: 'edit' })
    assert.isFalse(editing.everywhere)
    assert.deepEqual(editing.except, [])
    assert.deepEqual(
      editing.results.map((each: { resourceId: string }) => each.resourceId),
      ['1']
    )
  })

  test('evaluates conditions on the properties of each resource', async ({ assert, client }) => {
    const shop = await aShop(client)
    const { app, email, clerk, permissions } = shop
    await shop.shop.rolePermissions(clerk.id, [
      { permissionId: permissions.audit.id, accessLevel: 'allowed', condition: OPEN },
    ])
    await catalogue(client, shop, { '2': 'open', '3': 'closed', '4': null })
    const question = { email, app, permission: 'audit', resourceType: 'order' }
    const stored = await searching(client).resources(question)
    assert.deepEqual(stored, {
      everywhere: false,
      results: [{ resourceId: '2', label: 'Order 2', accessLevel: 'allowed', source: 'role' }],
      except: [],
      conditional: [
        {
          resourceId: '4',
          label: 'Order 4',
          accessLevel: 'allowed',
          source: 'role',
          conditional: true,
          condition: OPEN,
          missing: 'resource.properties.status',
        },
      ],
      nextCursor: null,
      total: 1,
    })
    const attributes = { resource: { status: 'open' } }
    const given = await searching(client).resources({ ...question, attributes, limit: 1 })
    assert.isTrue(given.everywhere)
    assert.equal(given.total, 3)
    assert.isString(given.nextCursor)
  })

  test('finds what the catalog and overrides name, however many of each there are', async ({
    assert,
    client,
  }) => {
    const shop = await aShop(client)
    const { app, email, clerk, permissions } = shop
    await shop.shop.rolePermissions(clerk.id, [
      { permissionId: permissions.audit.id, accessLevel: 'allowed', condition: OPEN },
      { permissionId: permissions.exporting.id, accessLevel: 'allowed' },
    ])
    const ids = Array.from({ length: 700 }, (_, nth) => String(1_000 + nth))
    const [inCatalog, overridden] = [ids.slice(0, 450), ids.filter((id) => Number(id) % 2 === 0)]
    const isOpen = (id: string) => Number(id) % 3 === 0
    await catalogue(
      client,
      shop,
      Object.fromEntries(inCatalog.map((id) => [id, isOpen(id) ? 'open' : 'closed']))
    )
    const override = { email, resource_type: 'order', created_at: new Date().toISOString() }
    for (const id of overridden) {
      const row = { ...override, resource_id: id }
      await db.table('resource_overrides').multiInsert([
        { ...row, permission_id: permissions.audit.id, granted: true },
        { ...row, permission_id: permissions.exporting.id, granted: false },
      ])
    }
    const question = { email, app, resourceType: 'order', limit: 1_000 }
    const audit = await searching(client).resources({ ...question, permission: 'audit' })
    const foundIds = audit.results.map((each: { resourceId: string }) => each.resourceId)
    assert.deepEqual(
      foundIds,
      ids.filter((id) => overridden.includes(id) || (inCatalog.includes(id) && isOpen(id)))
    )
    assert.equal(audit.total, foundIds.length)
    const exporting = await searching(client).resources({ ...question, permission: 'export' })
    assert.deepEqual(exporting.except, ['1', ...overridden])
    assert.equal(exporting.total, inCatalog.length - inCatalog.length / 2)
  })

  test('a condition on the id of the resource allows nothing everywhere: {$self}')
    .with([
      'resource.id != "3"',
      '!has(resource.id) || resource.id == "2"',
      '!("id" in dyn(resource)) || resource.id == "2"',
      'dyn(resource) != dyn({"type": "order", "id": "3", "properties": {}})',
      'dyn({"type": "order", "id": "3", "properties": {}}) != dyn(resource)',
    ])
    .run(async ({ assert, client }, condition) => {
      const shop = await aShop(client)
      const { app, email, clerk, permissions } = shop
      await shop.shop.rolePermissions(clerk.id, [
        { permissionId: permissions.audit.id, accessLevel: 'allowed', condition },
      ])
      await catalogue(client, shop, { '2': null, '3': null })
      const question = { email, app, permission: 'audit', resourceType: 'order' }
      const { everywhere, results, except } = await searching(client).resources(question)
      assert.isFalse(everywhere)
      assert.deepEqual(except, [])
      assert.deepEqual(
        results.map((each: { resourceId: string }) => each.resourceId),
        ['2']
      )
    })

  test('an unknown application is a problem for servers, and empty for users', async ({
    assert,
    client,
  }) => {
    const { email } = await aShop(client)
    const question = { app: uniqueCode(), permission: 'orders', resourceType: 'order' }
    for (const path of ['resources', 'permissions']) {
      const internal = client.post(`/api/check/search/${path}`).json({ email, ...question })
      ;(await internal).assertProblem(404, 'APPLICATION_NOT_FOUND')
    }
    const user = signedIn(client, email)
    const resources = await user.post('/api/profile/me/check/search/resources', question)
    resources.assertStatus(200)
    const nothing = { results: [], conditional: [], nextCursor: null, total: 0 }
    assert.deepEqual(resources.body(), { everywhere: false, except: [], ...nothing })
    const permissions = await user.post('/api/profile/me/check/search/permissions', question)
    assert.deepEqual(permissions.body(), nothing)
  })

  test('users search for themselves, whatever the body says', async ({ assert, client }) => {
    const shop = await aShop(client)
    const { app, email, clerk, permissions } = shop
    await catalogue(client, shop, { '2': null })
    await shop.shop.rolePermissions(clerk.id, [
      { permissionId: permissions.orders.id, accessLevel: 'view' },
      { permissionId: permissions.audit.id, accessLevel: 'allowed', condition: OPEN },
    ])
    const user = signedIn(client, email)
    const stranger = signedIn(client, uniqueEmail())
    for (const [path, question] of Object.entries({
      resources: { app, permission: 'orders', resourceType: 'order' },
      conditional: { app, permission: 'audit', resourceType: 'order' },
      denied: { app, permission: 'export', resourceType: 'order', limit: 1 },
    })) {
      const mine = await user.post('/api/profile/me/check/search/resources', question)
      const internal = await searching(client).resources({ email, ...question })
      mine.assertStatus(200)
      assert.deepEqual(mine.body(), internal, path)
      const foreign = { email, ...question }
      const other = await stranger.post('/api/profile/me/check/search/resources', foreign)
      assert.deepEqual(other.body().results, [])
    }
    const mine = await user.post('/api/profile/me/check/search/permissions', { app })
    const internal = await searching(client).permissions({ email, app })
    assert.deepEqual(mine.body(), internal)
  })
})

test.group('Search for permissions', () => {
  test('finds the permissions that are held, by code', async ({ assert, client }) => {
    const shop = await aShop(client)
    const { app, email, clerk, permissions } = shop
    await shop.shop.rolePermissions(clerk.id, [
      { permissionId: permissions.orders.id, accessLevel: 'view' },
      { permissionId: permissions.exporting.id, accessLevel: 'allowed' },
      { permissionId: permissions.audit.id, accessLevel: 'allowed', condition: OPEN },
    ])
    const search = searching(client)
    assert.deepEqual(await search.permissions({ email, app }), {
      results: [
        { code: 'export', accessLevel: 'allowed', source: 'role' },
        { code: 'orders', accessLevel: 'view', source: 'role' },
      ],
      conditional: [
        {
          code: 'audit',
          accessLevel: 'allowed',
          source: 'role',
          conditional: true,
          condition: OPEN,
          missing: 'resource.properties.status',
        },
      ],
      nextCursor: null,
      total: 2,
    })
    const onOrder = await search.permissions({ email, app, ...ORDER_1 })
    assert.deepEqual(onOrder.results, [{ code: 'orders', accessLevel: 'edit', source: 'override' }])
  })
})
