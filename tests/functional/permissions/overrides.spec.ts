import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import User from '#app/profiles/models/user'
import { allowed, inPath, manageApplication, overridesPath } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { ALWAYS_ACTIVE } from '#tests/helpers/windows'

/** A user, and an application with a binary and a tiered permission. */
async function aPersonToOverride(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const binary = await manage.permission({ type: 'binary' })
  const tiered = await manage.permission({ type: 'tiered' })
  const email = uniqueEmail()
  const path = overridesPath(email, code, 'doc', '1')
  const record = (
    permission: { id: number; code: string },
    granted: boolean,
    accessLevel: string | null = null
  ) => ({
    email,
    application: code,
    resourceType: 'doc',
    resourceId: '1',
    permissionId: permission.id,
    permission: permission.code,
    granted,
    accessLevel,
    condition: null,
    ...ALWAYS_ACTIVE,
  })
  const read = async () => (await superAdmin(client).get(path)).body().data
  const replace = (permissions: unknown) => superAdmin(client).put(path, { permissions })
  const check = (permission: { code: string }, level?: string) =>
    allowed(client, {
      email,
      app: code,
      permission: permission.code,
      resourceType: 'doc',
      resourceId: '1',
      level,
    })
  return { code, manage, email, binary, tiered, path, record, read, replace, check }
}

test.group('Overrides', () => {
  test('a user has none at first', async ({ client }) => {
    const { path, email, code } = await aPersonToOverride(client)
    const admin = superAdmin(client)
    const one = await admin.get(path)
    one.assertStatus(200)
    one.assertBody({ success: true, data: [] })
    const all = await admin.get(`/api/users/${email}/apps/${code}/resources`)
    all.assertStatus(200)
    all.assertBody({ success: true, data: [] })
  })

  test('the set is stored, returned and read back', async ({ client, assert }) => {
    const { binary, tiered, email, code, path, record, replace } = await aPersonToOverride(client)
    const response = await replace([
      { permissionId: binary.id, granted: false },
      { permissionId: tiered.id, granted: true, accessLevel: 'view' },
    ])
    response.assertStatus(200)
    const data = [record(binary, false), record(tiered, true, 'view')]
    response.assertBody({ success: true, data })
    const admin = superAdmin(client)
    const one = await admin.get(path)
    assert.deepEqual(one.body(), { success: true, data })
    const all = await admin.get(`/api/users/${email}/apps/${code}/resources`)
    assert.deepEqual(all.body(), { success: true, data })
  })

  test('a new set replaces all overrides on the resource', async ({ client, assert }) => {
    const { binary, tiered, record, read, replace } = await aPersonToOverride(client)
    await replace([
      { permissionId: binary.id, granted: true },
      { permissionId: tiered.id, granted: true },
    ])
    await replace([{ permissionId: tiered.id, granted: false }])
    assert.deepEqual(await read(), [record(tiered, false)])
    const emptied = await replace([])
    emptied.assertBody({ success: true, data: [] })
    assert.deepEqual(await read(), [])
  })

  test('other resources, users and applications are not affected', async ({ client, assert }) => {
    const mine = await aPersonToOverride(client)
    const other = await aPersonToOverride(client)
    const items = [{ permissionId: mine.binary.id, granted: true }]
    const someone = uniqueEmail()
    await mine.replace(items)
    await mine.manage.overrides(mine.email, ['doc', '2'], items)
    await mine.manage.overrides(mine.email, ['file', '1'], items)
    await mine.manage.overrides(someone, ['doc', '1'], items)
    await other.manage.overrides(
      mine.email,
      ['doc', '1'],
      [{ permissionId: other.binary.id, granted: true }]
    )
    await mine.replace([])

    const admin = superAdmin(client)
    const resourcesOf = async (email: string, code: string) => {
      const response = await admin.get(`/api/users/${email}/apps/${code}/resources`)
      return response
        .body()
        .data.map(
          ({ resourceType, resourceId }: { resourceType: string; resourceId: string }) =>
            `${resourceType} ${resourceId}`
        )
    }
    assert.deepEqual(await resourcesOf(mine.email, mine.code), ['doc 2', 'file 1'])
    assert.deepEqual(await resourcesOf(someone, mine.code), ['doc 1'])
    assert.deepEqual(await resourcesOf(mine.email, other.code), ['doc 1'])
  })

  test('a grant without a level means edit for a tiered permission', async ({ client, assert }) => {
    const { tiered, record, read, replace, check } = await aPersonToOverride(client)
    await replace([{ permissionId: tiered.id, granted: true }])
    assert.deepEqual(await read(), [record(tiered, true)])
    assert.isTrue(await check(tiered))
    assert.isTrue(await check(tiered, 'view'))
    assert.isTrue(await check(tiered, 'edit'))
  })

  test('a grant at view stays below edit', async ({ client, assert }) => {
    const { tiered, replace, check } = await aPersonToOverride(client)
    await replace([{ permissionId: tiered.id, granted: true, accessLevel: 'view' }])
    assert.isTrue(await check(tiered, 'view'))
    assert.isFalse(await check(tiered, 'edit'))
    await replace([{ permissionId: tiered.id, granted: true, accessLevel: 'edit' }])
    assert.isTrue(await check(tiered, 'edit'))
    await replace([{ permissionId: tiered.id, granted: true, accessLevel: null }])
    assert.isTrue(await check(tiered, 'edit'))
  })

  test('a grant of a binary permission means allowed', async ({ client, assert }) => {
    const { binary, replace, check } = await aPersonToOverride(client)
    await replace([{ permissionId: binary.id, granted: true }])
    assert.isTrue(await check(binary, 'allowed'))
    assert.isFalse(await check(binary, 'view'))
  })

  test('a deny denies every level, whatever its own level is', async ({ client, assert }) => {
    const { manage, email, tiered, record, read, replace, check } = await aPersonToOverride(client)
    const role = await manage.role()
    await manage.rolePermissions(role.id, [{ permissionId: tiered.id, accessLevel: 'edit' }])
    await manage.userRoles(email, [role.id])
    assert.isTrue(await check(tiered))
    const response = await replace([
      { permissionId: tiered.id, granted: false, accessLevel: 'edit' },
    ])
    response.assertStatus(200)
    assert.deepEqual(await read(), [record(tiered, false, 'edit')])
    assert.isFalse(await check(tiered))
    assert.isFalse(await check(tiered, 'view'))
  })

  test('an invalid level is refused, and nothing changes: {accessLevel} for {type}')
    .with([
      { type: 'binary', accessLevel: 'view' },
      { type: 'binary', accessLevel: 'edit' },
      { type: 'binary', accessLevel: 'allowed' },
      { type: 'tiered', accessLevel: 'allowed' },
    ])
    .run(async ({ client, assert }, { type, accessLevel }) => {
      const { binary, tiered, record, read, replace } = await aPersonToOverride(client)
      await replace([{ permissionId: binary.id, granted: true }])
      const [wrong, other] = type === 'binary' ? [binary, tiered] : [tiered, binary]
      const response = await replace([
        { permissionId: other.id, granted: false },
        { permissionId: wrong.id, granted: true, accessLevel },
      ])
      response.assertProblem(400, 'INVALID_ACCESS_LEVEL')
      assert.deepEqual(await read(), [record(binary, true)])
    })

  test('a global permission is refused, and nothing changes', async ({ client, assert }) => {
    const { manage, binary, record, read, replace } = await aPersonToOverride(client)
    const global = await manage.permission({ global: true })
    await replace([{ permissionId: binary.id, granted: true }])
    const response = await replace([
      { permissionId: binary.id, granted: false },
      { permissionId: global.id, granted: true },
    ])
    response.assertProblem(400, 'PERMISSION_IS_GLOBAL')
    assert.deepEqual(await read(), [record(binary, true)])
  })

  test('an override is kept but ignored when its permission becomes global', async ({
    client,
    assert,
  }) => {
    const { code, binary, record, read, replace, check } = await aPersonToOverride(client)
    await replace([{ permissionId: binary.id, granted: true }])
    const path = `/api/applications/${code}/permissions/${binary.id}`
    const admin = superAdmin(client)
    assert.isTrue(await check(binary))
    await admin.put(`${path}?force=true`, { global: true })
    assert.isFalse(await check(binary))
    assert.deepEqual(await read(), [record(binary, true)])
    await admin.put(path, { global: false })
    assert.isTrue(await check(binary))
  })

  test('an id of another application is refused, and nothing changes', async ({
    client,
    assert,
  }) => {
    const { binary, tiered, record, read, replace } = await aPersonToOverride(client)
    const foreign = await manageApplication(client, (await anApplication()).code).permission()
    await replace([{ permissionId: binary.id, granted: true }])
    for (const permissionId of [foreign.id, 2_147_483_647]) {
      const response = await replace([
        { permissionId: tiered.id, granted: true },
        { permissionId, granted: true },
      ])
      response.assertProblem(400, 'VALIDATION_ERROR', {
        errors: [{ field: 'permissions.1.permissionId' }],
      })
      assert.deepEqual(await read(), [record(binary, true)])
    }
  })

  test('a set is refused as {what}')
    .with<{ what: string; permissions: (id: number) => unknown }[]>([
      { what: 'nothing', permissions: () => undefined },
      { what: 'null', permissions: () => null },
      { what: 'an object', permissions: (id) => ({ permissionId: id, granted: true }) },
      { what: 'an item without granted', permissions: (id) => [{ permissionId: id }] },
      { what: 'an item without id', permissions: () => [{ granted: true }] },
      { what: 'granted in text', permissions: (id) => [{ permissionId: id, granted: 'true' }] },
      { what: 'granted as a number', permissions: (id) => [{ permissionId: id, granted: 1 }] },
      { what: 'granted as null', permissions: (id) => [{ permissionId: id, granted: null }] },
      {
        what: 'an id in text',
        permissions: (id) => [{ permissionId: String(id), granted: true }],
      },
      {
        what: 'an unknown level',
        permissions: (id) => [{ permissionId: id, granted: true, accessLevel: 'owner' }],
      },
      {
        what: 'the same permission twice',
        permissions: (id) => [
          { permissionId: id, granted: true },
          { permissionId: id, granted: false },
        ],
      },
    ])
    .run(async ({ client, assert }, { permissions }) => {
      const { binary, tiered, record, read, replace } = await aPersonToOverride(client)
      await replace([{ permissionId: binary.id, granted: true }])
      const response = await replace(permissions(tiered.id))
      response.assertProblem(400, 'VALIDATION_ERROR')
      assert.deepEqual(await read(), [record(binary, true)])
    })

  test('an assignment to an address without a user record is allowed and creates none', async ({
    client,
    assert,
  }) => {
    const { email, binary, replace, check } = await aPersonToOverride(client)
    await replace([{ permissionId: binary.id, granted: true }])
    assert.isTrue(await check(binary))
    assert.isNull(await User.findBy('email', email))
  })

  test('a resource id can be any text and is decoded once: {$self}')
    .with(['a/b', 'a%2Fb', 'a b', 'ščř ☃', '0', 'a+b', 'a?b#c', '__proto__', '𝄞', 'x'.repeat(255)])
    .run(async ({ client, assert }, resourceId) => {
      const { code, email, binary } = await aPersonToOverride(client)
      const path = overridesPath(email, code, 'doc', resourceId)
      const permissions = [{ permissionId: binary.id, granted: true }]
      const response = await superAdmin(client).put(path, { permissions })
      response.assertStatus(200)
      assert.equal(response.body().data[0].resourceId, resourceId)
      const read = await superAdmin(client).get(path)
      assert.deepEqual(read.body(), response.body())
      const body = { email, app: code, permission: binary.code, resourceType: 'doc', resourceId }
      assert.isTrue(await allowed(client, body))
    })

  test('an invalid resource is refused', async ({ client }) => {
    const { code, email, binary } = await aPersonToOverride(client)
    const permissions = [{ permissionId: binary.id, granted: true }]
    const admin = superAdmin(client)
    for (const [type, id] of [
      ['doc', 'a%00b'],
      ['d%00c', '1'],
      ['doc', 'x'.repeat(256)],
      ['d'.repeat(129), '1'],
      ['doc', '%ED%A0%80'],
    ]) {
      const path = `/api/users/${email}/apps/${code}/resources/${type}/${id}/permissions`
      const written = await admin.put(path, { permissions })
      written.assertProblem(400, 'VALIDATION_ERROR')
      const read = await admin.get(path)
      read.assertProblem(400, 'VALIDATION_ERROR')
    }
  })

  test('concurrent replacements end with one of the sets, never with a mixture', async ({
    client,
    assert,
  }) => {
    const { binary, tiered, record, read, replace } = await aPersonToOverride(client)
    const sets = [
      [{ permissionId: binary.id, granted: true }],
      [{ permissionId: tiered.id, granted: false }],
      [
        { permissionId: binary.id, granted: false },
        { permissionId: tiered.id, granted: true },
      ],
    ]
    const expected = [
      [record(binary, true)],
      [record(tiered, false)],
      [record(binary, false), record(tiered, true)],
    ].map((set) => JSON.stringify(set))
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all([...sets, ...sets].map(replace))
      for (const response of responses) response.assertStatus(200)
      assert.oneOf(JSON.stringify(await read()), expected)
    }
  })

  test('a concurrent override and deletion of its permission both get a valid response', async ({
    client,
    assert,
  }) => {
    for (let round = 0; round < 6; round++) {
      const { code, binary, read, replace } = await aPersonToOverride(client)
      const [replaced, deleted] = await Promise.all([
        replace([{ permissionId: binary.id, granted: true }]),
        superAdmin(client).delete(`/api/applications/${code}/permissions/${binary.id}`),
      ])
      deleted.assertStatus(204)
      assert.oneOf(replaced.status(), [200, 400])
      assert.deepEqual(await read(), [])
    }
  })

  test('a concurrent change never leaves an override on a global permission', async ({
    client,
    assert,
  }) => {
    for (let round = 0; round < 6; round++) {
      const { code, binary, read, replace } = await aPersonToOverride(client)
      const [replaced, changed] = await Promise.all([
        replace([{ permissionId: binary.id, granted: true }]),
        superAdmin(client).put(`/api/applications/${code}/permissions/${binary.id}`, {
          global: true,
        }),
      ])
      assert.oneOf(`${replaced.status()} ${changed.status()}`, ['200 409', '400 200'])
      assert.lengthOf(await read(), replaced.status() === 200 ? 1 : 0)
    }
  })

  test('a view level can read, an edit level can change, and nobody else can see them', async ({
    client,
  }) => {
    const { code, email, path, binary } = await aPersonToOverride(client)
    const body = { permissions: [{ permissionId: binary.id, granted: true }] }
    const all = `/api/users/${inPath(email)}/apps/${code}/resources`
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    for (const response of [await viewer.get(path), await viewer.get(all)])
      response.assertStatus(200)
    const stranger = signedIn(client, uniqueEmail())
    const refused = [
      await viewer.put(path, body),
      await stranger.get(path),
      await stranger.get(all),
      await stranger.put(path, body),
    ]
    for (const response of refused) response.assertProblem(403, 'FORBIDDEN')
    const editor = signedIn(client, await panelPerson(client, { [code]: 'edit' }))
    const accepted = await editor.put(path, body)
    accepted.assertStatus(200)
  })

  test('an unknown application is not found', async ({ client }) => {
    const [email, code] = [uniqueEmail(), uniqueCode()]
    const admin = superAdmin(client)
    const path = overridesPath(email, code, 'doc', '1')
    const responses = [
      await admin.get(path),
      await admin.put(path, { permissions: [] }),
      await admin.get(`/api/users/${email}/apps/${code}/resources`),
    ]
    for (const response of responses) response.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
