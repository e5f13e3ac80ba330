import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { recordStatements } from '#tests/helpers/count_statements'
import { TIMESTAMP, manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { ALWAYS_ACTIVE } from '#tests/helpers/windows'

const assignmentsOf = (appCode: string) => `/api/applications/${appCode}/assignments`

/** Two users with roles, one of them with overrides on two resources, and an administrator. */
async function anApplicationInUse(client: ApiClient) {
  const application = await anApplication()
  const manage = manageApplication(client, application.code)
  const [ada, alan] = [uniqueEmail('ada'), uniqueEmail('alan')]
  const clerk = await manage.role({ name: 'Clerk' })
  const seller = await manage.role()
  const permission = await manage.permission({ type: 'tiered', name: 'Orders' })
  await manage.userRoles(ada, [clerk.id])
  await manage.userRoles(alan, [clerk.id, seller.id])
  const grant = { permissionId: permission.id, granted: true, accessLevel: 'view' }
  await manage.overrides(alan, ['order', '1'], [grant])
  await manage.overrides(alan, ['order', '2'], [{ permissionId: permission.id, granted: false }])
  const administrator = await anAdministratorOf(application)
  const list = (query = '') =>
    superAdmin(client).get(`${assignmentsOf(application.code)}${query && `?${query}`}`)
  return { application, manage, ada, alan, clerk, seller, permission, administrator, list }
}

const summary = (items: any[]) =>
  items.map(({ kind, email, roleId, resourceId }) => [kind, email, roleId ?? resourceId ?? null])

test.group('Assignments of an application', () => {
  test('lists who has what: roles, then overrides, then administrators', async ({
    client,
    assert,
  }) => {
    const { ada, alan, clerk, seller, permission, administrator, list } =
      await anApplicationInUse(client)
    const response = await list()
    response.assertStatus(200)
    const items = response.body().data
    for (const item of items) {
      assert.match(item.createdAt, TIMESTAMP)
      assert.isNumber(item.id)
    }
    const withoutIds = items.map(({ id, createdAt, ...item }: any) => item)
    const role = (email: string, { id, code, name }: any) => {
      return { kind: 'role', email, roleId: id, role: code, name, ...ALWAYS_ACTIVE }
    }
    const override = (resourceId: string, granted: boolean, accessLevel: string | null) => ({
      kind: 'override',
      email: alan,
      permissionId: permission.id,
      permission: permission.code,
      name: 'Orders',
      resourceType: 'order',
      resourceId,
      ...ALWAYS_ACTIVE,
      granted,
      accessLevel,
      condition: null,
    })
    assert.deepEqual(withoutIds, [
      role(ada, clerk),
      role(alan, clerk),
      role(alan, seller),
      override('1', true, 'view'),
      override('2', false, null),
      { kind: 'administrator', email: administrator, ...ALWAYS_ACTIVE },
    ])
  })

  test('says from when and until when each counts', async ({ client, assert }) => {
    const { application, ada, alan, clerk, permission, list } = await anApplicationInUse(client)
    const admin = superAdmin(client)
    const window = { validFrom: '2027-03-01T00:00:00.000Z', validUntil: '2027-04-01T00:00:00.000Z' }
    const { code } = application
    await admin.put(`/api/users/${ada}/apps/${code}/roles`, {
      roles: [{ roleId: clerk.id, ...window }],
    })
    await admin.put(`/api/users/${alan}/apps/${code}/resources/order/3/permissions`, {
      permissions: [{ permissionId: permission.id, granted: false, ...window }],
    })
    await admin.post(`/api/users/admins/apps/${code}`, { email: ada, ...window })

    const limited = (await list()).body().data.filter(({ validFrom }: any) => validFrom !== null)
    assert.sameMembers(
      limited.map(({ kind }: any) => kind),
      ['role', 'override', 'administrator']
    )
    for (const row of limited) assert.containSubset(row, { ...window, state: 'scheduled' })
  })

  test('finds what ends in the next days, of every kind', async ({ client, assert }) => {
    const { application, ada, alan, clerk, seller, permission, list } =
      await anApplicationInUse(client)
    const admin = superAdmin(client)
    const { code } = application
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    await admin.put(`/api/users/${ada}/apps/${code}/roles`, {
      roles: [
        { roleId: clerk.id, validUntil: inDays(6) },
        { roleId: seller.id, validUntil: inDays(8) },
      ],
    })
    await admin.put(`/api/users/${alan}/apps/${code}/roles`, {
      roles: [
        { roleId: clerk.id, validUntil: inDays(-1) },
        { roleId: seller.id, validFrom: inDays(1), validUntil: inDays(2) },
      ],
    })
    await admin.put(`/api/users/${alan}/apps/${code}/resources/order/3/permissions`, {
      permissions: [{ permissionId: permission.id, granted: false, validUntil: inDays(5) }],
    })
    await admin.post(`/api/users/admins/apps/${code}`, { email: ada, validUntil: inDays(4) })

    const response = await list('endsWithinDays=7&count=true')
    assert.deepEqual(summary(response.body().data), [
      ['role', ada, clerk.id],
      ['role', alan, seller.id],
      ['override', alan, '3'],
      ['administrator', ada, null],
    ])
    assert.equal(response.header('x-total-count'), '4')
    const narrowed = await list(`endsWithinDays=8&kind=role&email=${ada}`)
    assert.deepEqual(summary(narrowed.body().data), [
      ['role', ada, clerk.id],
      ['role', ada, seller.id],
    ])
  })

  test('filters by user, kind, role and resource', async ({ client, assert }) => {
    const { ada, alan, clerk, seller, administrator, list } = await anApplicationInUse(client)
    const roles = [clerk, seller].map(({ id }) => ['role', alan, id])
    const cases: [string, unknown[]][] = [
      [`email=${ada.toUpperCase()}`, [['role', ada, clerk.id]]],
      [`search=${alan.slice(2, 20).toUpperCase()}&kind=role`, roles],
      [`search=%25${alan}`, []],
      [`email=${administrator}`, [['administrator', administrator, null]]],
      [
        `roleId=${clerk.id}`,
        [
          ['role', ada, clerk.id],
          ['role', alan, clerk.id],
        ],
      ],
      [`roleId=${seller.id}&email=${alan}`, [['role', alan, seller.id]]],
      [
        'resourceType=order',
        [
          ['override', alan, '1'],
          ['override', alan, '2'],
        ],
      ],
      ['resourceType=order&resourceId=2', [['override', alan, '2']]],
      ['kind=administrator', [['administrator', administrator, null]]],
      ['kind=role&resourceType=order', []],
      [`kind=override&email=${ada}`, []],
    ]
    for (const [query, expected] of cases) {
      const response = await list(query)
      response.assertStatus(200)
      assert.deepEqual(summary(response.body().data), expected, query)
    }
  })

  test('finds who has a permission by which roles and overrides', async ({ client, assert }) => {
    const { manage, ada, alan, clerk, seller, permission, list } = await anApplicationInUse(client)
    await manage.rolePermissions(seller.id, [{ permissionId: permission.id, accessLevel: 'view' }])
    const other = await manage.permission()
    await manage.rolePermissions(clerk.id, [{ permissionId: other.id, accessLevel: 'allowed' }])
    const find = async (query: string) => summary((await list(query)).body().data)

    assert.deepEqual(await find(`permissionId=${permission.id}`), [
      ['role', alan, seller.id],
      ['override', alan, '1'],
      ['override', alan, '2'],
    ])
    assert.deepEqual(await find(`permissionId=${other.id}`), [
      ['role', ada, clerk.id],
      ['role', alan, clerk.id],
    ])
    assert.deepEqual(await find(`permissionId=${other.id}&roleId=${seller.id}`), [])
    assert.deepEqual(await find(`permissionId=${permission.id}&kind=administrator`), [])
    const foreign = await anApplicationInUse(client)
    assert.deepEqual(await find(`permissionId=${foreign.permission.id}`), [])
  })

  test('pages of any size contain each of them once, in the same order', async ({
    client,
    assert,
  }) => {
    const { list, application } = await anApplicationInUse(client)
    const all = summary((await list()).body().data)
    for (const limit of [1, 2, 3, 5]) {
      const seen: unknown[] = []
      let path: string | undefined = `${assignmentsOf(application.code)}?limit=${limit}`
      while (path) {
        const response: any = await superAdmin(client).get(path)
        response.assertStatus(200)
        assert.isAtMost(response.body().data.length, limit)
        seen.push(...summary(response.body().data))
        path = /<([^>]+)>; rel="next"/.exec(response.header('link') ?? '')?.[1]
      }
      assert.deepEqual(seen, all)
    }
  })

  test('shows nothing of other applications, not even by their role', async ({
    client,
    assert,
  }) => {
    const mine = await anApplicationInUse(client)
    const other = await anApplicationInUse(client)
    await other.manage.userRoles(mine.ada, [other.clerk.id])
    const items = (await mine.list(`email=${mine.ada}`)).body().data
    assert.deepEqual(summary(items), [['role', mine.ada, mine.clerk.id]])
    const foreign = await mine.list(`roleId=${other.clerk.id}`)
    assert.deepEqual(foreign.body().data, [])
  })

  test('refuses wrong filters: {query}')
    .with([
      { query: 'kind=roles', field: 'kind' },
      { query: 'email=nobody', field: 'email' },
      { query: 'roleId=0', field: 'roleId' },
      { query: 'roleId=clerk', field: 'roleId' },
      { query: 'permissionId=0', field: 'permissionId' },
      { query: 'cursor=aWQ6Nw', field: 'cursor' },
      { query: 'limit=201', field: 'limit' },
      { query: 'endsWithinDays=0', field: 'endsWithinDays' },
      { query: 'endsWithinDays=367', field: 'endsWithinDays' },
      { query: `search=${'x'.repeat(255)}`, field: 'search' },
      { query: `resourceId=${'x'.repeat(256)}`, field: 'resourceId' },
    ])
    .run(async ({ client, assert }, { query, field }) => {
      const { code } = await anApplication()
      const response = await superAdmin(client).get(`${assignmentsOf(code)}?${query}`)
      response.assertProblem(400, 'VALIDATION_ERROR')
      assert.equal(response.body().details.errors[0].field, field)
    })

  test('a viewer can read them, others cannot', async ({ client }) => {
    const application = await anApplication()
    const path = assignmentsOf(application.code)
    const viewer = signedIn(client, await panelPerson(client, { [application.code]: 'view' }))
    ;(await viewer.get(path)).assertStatus(200)
    const otherAdmin = signedIn(client, await anAdministratorOf(await anApplication()))
    ;(await otherAdmin.get(path)).assertProblem(403, 'FORBIDDEN')
  })
})

test.group('Names and counts of roles and permissions', () => {
  test('roles and permissions have a display name, which null clears', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const role = await manage.role({ name: 'Clerk' })
    const permission = await manage.permission({ name: 'Orders' })
    assert.equal(role.name, 'Clerk')
    assert.equal(permission.name, 'Orders')
    for (const path of [`roles/${role.id}`, `permissions/${permission.id}`]) {
      const url = `/api/applications/${code}/${path}`
      const renamed = await superAdmin(client).put(url, { name: 'Renamed' })
      assert.equal(renamed.body().data.name, 'Renamed')
      const cleared = await superAdmin(client).put(url, { name: null })
      assert.isNull(cleared.body().data.name)
      const refused = await superAdmin(client).put(url, { name: 'two\nlines' })
      refused.assertProblem(400, 'VALIDATION_ERROR')
    }
  })

  test('lists count the uses, with a fixed number of statements', async ({ client, assert }) => {
    const { application, manage, clerk, seller, permission } = await anApplicationInUse(client)
    const unused = await manage.permission()
    await manage.rolePermissions(clerk.id, [
      { permissionId: permission.id, accessLevel: 'edit' },
      { permissionId: unused.id, accessLevel: 'allowed' },
    ])
    await manage.rolePermissions(seller.id, [{ permissionId: permission.id, accessLevel: 'view' }])
    const read = (list: string) =>
      superAdmin(client).get(`/api/applications/${application.code}/${list}`)

    const roles = (await read('roles')).body().data
    assert.deepEqual(
      roles.map(({ id, userCount, permissionCount }: any) => [id, userCount, permissionCount]),
      [
        [clerk.id, 2, 2],
        [seller.id, 1, 1],
      ]
    )
    const permissions = (await read('permissions')).body().data
    assert.deepEqual(
      permissions.map(({ id, roleCount, overrideCount }: any) => [id, roleCount, overrideCount]),
      [
        [permission.id, 2, 2],
        [unused.id, 1, 0],
      ]
    )
    for (const list of ['roles', 'permissions']) {
      const few = await recordStatements(() => read(list))
      for (let count = 0; count < 3; count++) {
        await (list === 'roles' ? manage.role() : manage.permission())
      }
      const more = await recordStatements(() => read(list))
      assert.lengthOf(more, few.length, list)
    }
  })
})

test.group('Changing a permission in use', () => {
  test('a new code needs rename=true', async ({ client, assert }) => {
    const { application, permission, manage, clerk } = await anApplicationInUse(client)
    await manage.rolePermissions(clerk.id, [{ permissionId: permission.id, accessLevel: 'view' }])
    const path = `/api/applications/${application.code}/permissions/${permission.id}`
    const change = (query = '') => superAdmin(client).put(`${path}${query}`, { code: 'renamed' })
    for (const query of ['', '?rename=false', '?force=true']) {
      const refused = await change(query)
      refused.assertProblem(409, 'PERMISSION_IN_USE')
      assert.deepEqual(refused.body().details, { roles: 1, overrides: 2 })
      assert.match(refused.body().detail, /rename=true/)
    }
    assert.equal((await superAdmin(client).get(path)).body().data.code, permission.code)
    const unchanged = await superAdmin(client).put(path, { code: permission.code })
    unchanged.assertStatus(200)
    const renamed = await change('?rename=true')
    renamed.assertStatus(200)
    assert.equal(renamed.body().data.code, 'renamed')
    const invalid = await change('?rename=yes')
    invalid.assertProblem(400, 'VALIDATION_ERROR')
  })

  test('a permission with overrides becomes global only with force=true', async ({
    client,
    assert,
  }) => {
    const { application, permission } = await anApplicationInUse(client)
    const path = `/api/applications/${application.code}/permissions/${permission.id}`
    const change = (query: string, global = true) =>
      superAdmin(client).put(`${path}${query}`, { global })
    const refused = await change('?rename=true')
    refused.assertProblem(409, 'PERMISSION_IN_USE')
    assert.equal(refused.body().details.overrides, 2)
    const forced = await change('?force=true')
    forced.assertStatus(200)
    assert.isTrue(forced.body().data.global)
    ;(await change('')).assertStatus(200)
    ;(await change('', false)).assertStatus(200)
  })

  test('a new type is refused whatever is confirmed', async ({ client }) => {
    const { application, permission } = await anApplicationInUse(client)
    const path = `/api/applications/${application.code}/permissions/${permission.id}`
    const response = await superAdmin(client).put(`${path}?rename=true&force=true`, {
      type: 'binary',
    })
    response.assertProblem(409, 'PERMISSION_IN_USE')
  })

  test('a permission without overrides becomes global without force=true', async ({ client }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const [role, permission] = [await manage.role(), await manage.permission()]
    await manage.rolePermissions(role.id, [{ permissionId: permission.id, accessLevel: 'allowed' }])
    const path = `/api/applications/${code}/permissions/${permission.id}`
    ;(await superAdmin(client).put(path, { global: true })).assertStatus(200)
  })
})
