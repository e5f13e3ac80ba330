import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, superAdmin } from '#tests/helpers/people'

/** A role, a binary permission and a tiered permission. */
async function aRoleToFill(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const role = await manage.role()
  const binary = await manage.permission({ type: 'binary' })
  const tiered = await manage.permission({ type: 'tiered' })
  const path = `/api/applications/${code}/roles/${role.id}/permissions`
  const read = async () => (await superAdmin(client).get(path)).body().data
  const replace = (permissions: unknown) => superAdmin(client).put(path, { permissions })
  return { code, manage, role, binary, tiered, path, read, replace }
}

test.group('Permissions of a role', () => {
  test('the set is stored and returned with its permissions', async ({ client, assert }) => {
    const { binary, tiered, path, replace } = await aRoleToFill(client)
    const response = await replace([
      { permissionId: tiered.id, accessLevel: 'view' },
      { permissionId: binary.id, accessLevel: 'allowed' },
    ])
    response.assertStatus(200)
    const data = [
      {
        permissionId: binary.id,
        permissionCode: binary.code,
        type: 'binary',
        accessLevel: 'allowed',
        condition: null,
      },
      {
        permissionId: tiered.id,
        permissionCode: tiered.code,
        type: 'tiered',
        accessLevel: 'view',
        condition: null,
      },
    ]
    response.assertBody({ success: true, data })
    const read = await superAdmin(client).get(path)
    read.assertStatus(200)
    assert.deepEqual(read.body(), { success: true, data })
  })

  test('a new set replaces the old one', async ({ client, assert }) => {
    const { binary, tiered, read, replace } = await aRoleToFill(client)
    await replace([
      { permissionId: binary.id, accessLevel: 'allowed' },
      { permissionId: tiered.id, accessLevel: 'view' },
    ])
    await replace([{ permissionId: tiered.id, accessLevel: 'edit' }])
    assert.deepEqual(await read(), [
      {
        permissionId: tiered.id,
        permissionCode: tiered.code,
        type: 'tiered',
        accessLevel: 'edit',
        condition: null,
      },
    ])
    const emptied = await replace([])
    emptied.assertBody({ success: true, data: [] })
    assert.deepEqual(await read(), [])
  })

  test('an invalid level is refused, and nothing changes: {accessLevel} for {type}')
    .with([
      { type: 'binary', accessLevel: 'view' },
      { type: 'binary', accessLevel: 'edit' },
      { type: 'tiered', accessLevel: 'allowed' },
    ])
    .run(async ({ client, assert }, { type, accessLevel }) => {
      const { binary, tiered, read, replace } = await aRoleToFill(client)
      await replace([{ permissionId: binary.id, accessLevel: 'allowed' }])
      const before = await read()
      const items = { binary, tiered }
      const other = type === 'binary' ? tiered : binary
      const response = await replace([
        { permissionId: other.id, accessLevel: type === 'binary' ? 'edit' : 'allowed' },
        { permissionId: items[type as 'binary' | 'tiered'].id, accessLevel },
      ])
      response.assertProblem(400, 'INVALID_ACCESS_LEVEL')
      assert.deepEqual(await read(), before)
    })

  test('an id of another application is refused, and nothing changes', async ({
    client,
    assert,
  }) => {
    const { binary, tiered, read, replace } = await aRoleToFill(client)
    const foreign = await manageApplication(client, (await anApplication()).code).permission()
    await replace([{ permissionId: binary.id, accessLevel: 'allowed' }])
    const before = await read()
    for (const permissionId of [foreign.id, 2_147_483_647]) {
      const response = await replace([
        { permissionId: tiered.id, accessLevel: 'edit' },
        { permissionId, accessLevel: 'allowed' },
      ])
      response.assertProblem(400, 'VALIDATION_ERROR', {
        errors: [{ field: 'permissions.1.permissionId' }],
      })
      assert.deepEqual(await read(), before)
    }
  })

  test('a set is refused as {what}')
    .with<{ what: string; permissions: (id: number) => unknown }[]>([
      { what: 'nothing', permissions: () => undefined },
      { what: 'null', permissions: () => null },
      { what: 'an object', permissions: (id) => ({ permissionId: id, accessLevel: 'allowed' }) },
      { what: 'ids alone', permissions: (id) => [id] },
      { what: 'an item without level', permissions: (id) => [{ permissionId: id }] },
      { what: 'an item without id', permissions: () => [{ accessLevel: 'allowed' }] },
      {
        what: 'an unknown level',
        permissions: (id) => [{ permissionId: id, accessLevel: 'owner' }],
      },
      {
        what: 'a level of an object’s prototype',
        permissions: (id) => [{ permissionId: id, accessLevel: 'constructor' }],
      },
      {
        what: 'an id in text',
        permissions: (id) => [{ permissionId: String(id), accessLevel: 'allowed' }],
      },
      {
        what: 'an id beyond all integers',
        permissions: () => [{ permissionId: 1e300, accessLevel: 'allowed' }],
      },
      {
        what: 'the same permission twice',
        permissions: (id) => [
          { permissionId: id, accessLevel: 'allowed' },
          { permissionId: id, accessLevel: 'allowed' },
        ],
      },
    ])
    .run(async ({ client, assert }, { permissions }) => {
      const { binary, read, replace } = await aRoleToFill(client)
      await replace([{ permissionId: binary.id, accessLevel: 'allowed' }])
      const before = await read()
      const response = await replace(permissions(binary.id))
      response.assertProblem(400, 'VALIDATION_ERROR')
      assert.deepEqual(await read(), before)
    })

  test('concurrent replacements end with one of the sets, never with a mixture', async ({
    client,
    assert,
  }) => {
    const { manage, read, replace } = await aRoleToFill(client)
    const permissions = await Promise.all(
      Array.from({ length: 8 }, () => manage.permission({ type: 'tiered' }))
    )
    const ids = permissions.map(({ id }) => id).sort((a, b) => a - b)
    const sets = [
      ids.slice(0, 4).map((permissionId) => ({ permissionId, accessLevel: 'view' })),
      ids.slice(2, 8).map((permissionId) => ({ permissionId, accessLevel: 'edit' })),
    ]
    const expected = sets.map((set) => JSON.stringify(set))
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all([...sets, ...sets, ...sets].map(replace))
      for (const response of responses) response.assertStatus(200)
      const stored = (await read()).map(
        ({ permissionId, accessLevel }: { permissionId: number; accessLevel: string }) => ({
          permissionId,
          accessLevel,
        })
      )
      assert.oneOf(JSON.stringify(stored), expected)
    }
  })

  test('a concurrent replacement and deletion of a permission both get a valid response', async ({
    client,
    assert,
  }) => {
    for (let round = 0; round < 6; round++) {
      const { code, binary, tiered, read, replace } = await aRoleToFill(client)
      const [replaced, deleted] = await Promise.all([
        replace([
          { permissionId: binary.id, accessLevel: 'allowed' },
          { permissionId: tiered.id, accessLevel: 'edit' },
        ]),
        superAdmin(client).delete(`/api/applications/${code}/permissions/${tiered.id}`),
      ])
      deleted.assertStatus(204)
      assert.oneOf(replaced.status(), [200, 400])
      assert.lengthOf(await read(), replaced.status() === 200 ? 1 : 0)
    }
  })

  test('a concurrent replacement and deletion of the role both get a valid response', async ({
    client,
    assert,
  }) => {
    for (let round = 0; round < 6; round++) {
      const { code, role, binary, replace } = await aRoleToFill(client)
      const [replaced, deleted] = await Promise.all([
        replace([{ permissionId: binary.id, accessLevel: 'allowed' }]),
        superAdmin(client).delete(`/api/applications/${code}/roles/${role.id}`),
      ])
      deleted.assertStatus(204)
      assert.oneOf(replaced.status(), [200, 404])
    }
  })

  test('a concurrent change of type never leaves an invalid level', async ({ client, assert }) => {
    for (let round = 0; round < 6; round++) {
      const { code, tiered, replace } = await aRoleToFill(client)
      const [replaced, retyped] = await Promise.all([
        replace([{ permissionId: tiered.id, accessLevel: 'view' }]),
        superAdmin(client).put(`/api/applications/${code}/permissions/${tiered.id}`, {
          type: 'binary',
        }),
      ])
      assert.oneOf(`${replaced.status()} ${retyped.status()}`, ['200 409', '400 200'])
    }
  })
})
