import { test } from '@japa/runner'
import { allowed, manageApplication, withoutCounts } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'

test.group('Parents of permissions', () => {
  test('a parent must be a permission of the same application', async ({ client, assert }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const foreign = await manageApplication(client, other.code).permission()
    const own = await manageApplication(client, mine.code).permission()
    const admin = superAdmin(client)
    const path = `/api/applications/${mine.code}/permissions`
    for (const parentPermissionId of [foreign.id, 2_147_483_647]) {
      const body = { code: 'child', type: 'binary', parentPermissionId }
      const created = await admin.post(path, body)
      created.assertProblem(400, 'INVALID_PARENT')
      const changed = await admin.put(`${path}/${own.id}`, { parentPermissionId })
      changed.assertProblem(400, 'INVALID_PARENT')
    }
    const all = await admin.get(path)
    assert.deepEqual(withoutCounts(all.body().data), [own])
  })

  test('a permission cannot become its own ancestor', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const root = await manage.permission()
    const middle = await manage.permission({ parentPermissionId: root.id })
    const leaf = await manage.permission({ parentPermissionId: middle.id })
    const admin = superAdmin(client)
    const setParent = (id: number, parentPermissionId: number) =>
      admin.put(`/api/applications/${code}/permissions/${id}`, { parentPermissionId })
    for (const [id, parent] of [
      [root.id, root.id],
      [root.id, middle.id],
      [root.id, leaf.id],
      [middle.id, leaf.id],
      [leaf.id, leaf.id],
    ]) {
      const response = await setParent(id, parent)
      response.assertProblem(400, 'INVALID_PARENT')
    }
    const all = await admin.get(`/api/applications/${code}/permissions`)
    assert.deepEqual(withoutCounts(all.body().data), [root, middle, leaf])
  })

  test('a permission can move within the tree if there is no cycle', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const root = await manage.permission()
    const middle = await manage.permission({ parentPermissionId: root.id })
    const leaf = await manage.permission({ parentPermissionId: middle.id })
    const admin = superAdmin(client)
    const path = `/api/applications/${code}/permissions`
    const moved = await admin.put(`${path}/${leaf.id}`, { parentPermissionId: root.id })
    assert.equal(moved.body().data.parentPermissionId, root.id)
    const below = await admin.put(`${path}/${middle.id}`, { parentPermissionId: leaf.id })
    assert.equal(below.body().data.parentPermissionId, leaf.id)
    const freed = await admin.put(`${path}/${leaf.id}`, { parentPermissionId: null })
    assert.isNull(freed.body().data.parentPermissionId)
  })

  test('two concurrent changes cannot create a cycle', async ({ client, assert }) => {
    const admin = superAdmin(client)
    for (let round = 0; round < 6; round++) {
      const { code } = await anApplication()
      const manage = manageApplication(client, code)
      const [first, second] = [await manage.permission(), await manage.permission()]
      const path = `/api/applications/${code}/permissions`
      const responses = await Promise.all([
        admin.put(`${path}/${first.id}`, { parentPermissionId: second.id }),
        admin.put(`${path}/${second.id}`, { parentPermissionId: first.id }),
      ])
      const statuses = responses.map((response) => response.status()).sort()
      assert.deepEqual(statuses, [200, 400])
    }
  })

  test('checks ignore parents', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const parent = await manage.permission()
    const child = await manage.permission({ parentPermissionId: parent.id })
    const role = await manage.role()
    await manage.rolePermissions(role.id, [{ permissionId: parent.id, accessLevel: 'allowed' }])
    const email = uniqueEmail()
    await manage.userRoles(email, [role.id])
    assert.isTrue(await allowed(client, { email, app: code, permission: parent.code }))
    assert.isFalse(await allowed(client, { email, app: code, permission: child.code }))
  })
})
