import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import User from '#app/profiles/models/user'
import { manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { ALWAYS_ACTIVE } from '#tests/helpers/windows'

type Role = { id: number; code: string }

/** A user, and an application with three roles. */
async function aPersonToAssign(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const roles: Role[] = [await manage.role(), await manage.role(), await manage.role()]
  const email = uniqueEmail()
  const path = `/api/users/${email}/apps/${code}/roles`
  const record = (role: Role) => ({
    ...role,
    email,
    application: code,
    roleId: role.id,
    role: role.code,
    ...ALWAYS_ACTIVE,
  })
  const read = async () => (await superAdmin(client).get(path)).body().data
  const replace = (roleIds: unknown) => superAdmin(client).put(path, { roleIds })
  return { code, email, roles, path, record, read, replace }
}

test.group('Roles of a user', () => {
  test('a user has none at first', async ({ client }) => {
    const { path } = await aPersonToAssign(client)
    const response = await superAdmin(client).get(path)
    response.assertStatus(200)
    response.assertBody({ success: true, data: [] })
  })

  test('the set is stored, returned and read back, ordered by role', async ({ client, assert }) => {
    const { roles, path, record, replace } = await aPersonToAssign(client)
    const [first, , third] = roles
    const response = await replace([third.id, first.id])
    response.assertStatus(200)
    response.assertBody({ success: true, data: [record(first), record(third)] })
    const read = await superAdmin(client).get(path)
    read.assertStatus(200)
    assert.deepEqual(read.body(), response.body())
  })

  test('a new set replaces the old one', async ({ client, assert }) => {
    const { roles, record, read, replace } = await aPersonToAssign(client)
    await replace(roles.map(({ id }) => id))
    await replace([roles[1].id])
    assert.deepEqual(await read(), [record(roles[1])])
    const emptied = await replace([])
    emptied.assertBody({ success: true, data: [] })
    assert.deepEqual(await read(), [])
  })

  test('a repeated role is assigned once', async ({ client, assert }) => {
    const { roles, record, read, replace } = await aPersonToAssign(client)
    const response = await replace([roles[0].id, roles[0].id])
    response.assertStatus(200)
    assert.deepEqual(await read(), [record(roles[0])])
  })

  test('other users and applications are not affected', async ({ client, assert }) => {
    const [mine, other] = [await aPersonToAssign(client), await aPersonToAssign(client)]
    const admin = superAdmin(client)
    await mine.replace([mine.roles[0].id])
    await other.replace([other.roles[0].id])
    const elsewhere = `/api/users/${mine.email}/apps/${other.code}/roles`
    await admin.put(elsewhere, { roleIds: [other.roles[1].id] })

    await mine.replace([])
    assert.deepEqual(await other.read(), [other.record(other.roles[0])])
    const kept = await admin.get(elsewhere)
    assert.deepEqual(kept.body().data, [{ ...other.record(other.roles[1]), email: mine.email }])
  })

  test('an assignment to an address without a user record is allowed and creates none', async ({
    client,
    assert,
  }) => {
    const { email, roles, replace } = await aPersonToAssign(client)
    const response = await replace([roles[0].id])
    response.assertStatus(200)
    assert.isNull(await User.findBy('email', email))
  })

  test('an id of another application is refused, and nothing changes', async ({
    client,
    assert,
  }) => {
    const { roles, record, read, replace } = await aPersonToAssign(client)
    const foreign = await manageApplication(client, (await anApplication()).code).role()
    await replace([roles[0].id])
    for (const id of [foreign.id, 2_147_483_647]) {
      const response = await replace([roles[1].id, id])
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'roleIds.1' }] })
      assert.deepEqual(await read(), [record(roles[0])])
    }
    const repeated = await replace([roles[1].id, roles[1].id, foreign.id])
    repeated.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'roleIds.2' }] })
  })

  test('a set is refused as {what}')
    .with<{ what: string; roleIds: (id: number) => unknown }[]>([
      { what: 'nothing', roleIds: () => undefined },
      { what: 'null', roleIds: () => null },
      { what: 'one id', roleIds: (id) => id },
      { what: 'ids in text', roleIds: (id) => [String(id)] },
      { what: 'a fraction', roleIds: () => [1.5] },
      { what: 'zero', roleIds: () => [0] },
      { what: 'a number beyond all integers', roleIds: () => [1e300] },
      { what: 'null within', roleIds: (id) => [id, null] },
      { what: 'records', roleIds: (id) => [{ id }] },
      { what: 'an object', roleIds: (id) => ({ 0: id }) },
    ])
    .run(async ({ client, assert }, { roleIds }) => {
      const { roles, record, read, replace } = await aPersonToAssign(client)
      await replace([roles[0].id])
      const response = await replace(roleIds(roles[1].id))
      response.assertProblem(400, 'VALIDATION_ERROR')
      assert.deepEqual(await read(), [record(roles[0])])
    })

  test('concurrent replacements end with one of the sets, never with a mixture', async ({
    client,
    assert,
  }) => {
    const { roles, record, read, replace } = await aPersonToAssign(client)
    const sets = [[roles[0], roles[1]], [roles[2]], []]
    const expected = sets.map((set) => JSON.stringify(set.map(record)))
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all(
        [...sets, ...sets].map((set) => replace(set.map(({ id }) => id)))
      )
      for (const response of responses) response.assertStatus(200)
      assert.oneOf(JSON.stringify(await read()), expected)
    }
  })

  test('a concurrent assignment and deletion of its role both get a valid response', async ({
    client,
    assert,
  }) => {
    for (let round = 0; round < 6; round++) {
      const { code, roles, read, replace } = await aPersonToAssign(client)
      const [assigned, deleted] = await Promise.all([
        replace([roles[0].id]),
        superAdmin(client).delete(`/api/applications/${code}/roles/${roles[0].id}`),
      ])
      deleted.assertStatus(204)
      assert.oneOf(assigned.status(), [200, 400])
      assert.deepEqual(await read(), [])
    }
  })

  test('a view level can read, an edit level can change, and nobody else can see them', async ({
    client,
  }) => {
    const { code, path, roles } = await aPersonToAssign(client)
    const body = { roleIds: [roles[0].id] }
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    const read = await viewer.get(path)
    read.assertStatus(200)
    const refused = [
      await viewer.put(path, body),
      await signedIn(client, uniqueEmail()).get(path),
      await signedIn(client, uniqueEmail()).put(path, body),
    ]
    for (const response of refused) response.assertProblem(403, 'FORBIDDEN')
    const editor = signedIn(client, await panelPerson(client, { [code]: 'edit' }))
    const accepted = await editor.put(path, body)
    accepted.assertStatus(200)
  })

  test('an unknown application is not found', async ({ client }) => {
    const path = `/api/users/${uniqueEmail()}/apps/${uniqueCode()}/roles`
    const read = await superAdmin(client).get(path)
    read.assertProblem(404, 'APPLICATION_NOT_FOUND')
    const written = await superAdmin(client).put(path, { roleIds: [] })
    written.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
