import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { PANEL_APPLICATION } from '#app/applications/values/panel'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

const OPEN = 'resource.properties.status == "open"'
const MINE = 'resource.properties.owner == subject.email'

async function anApplicationWithRole(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const role = await manage.role()
  const permission = await manage.permission({ type: 'tiered' })
  const api = superAdmin(client)
  const ofRole = `/api/applications/${code}/roles/${role.id}/permissions`
  const matrix = `/api/applications/${code}/role-permissions`
  const email = uniqueEmail()
  const onResource = `/api/users/${email}/apps/${code}/resources/document/7/permissions`
  const read = async (path: string) => (await api.get(path)).body().data
  const change = (fields: object) =>
    api.patch(matrix, { changes: [{ roleId: role.id, permissionId: permission.id, ...fields }] })
  return { code, role, permission, api, ofRole, matrix, email, onResource, read, change }
}

test.group('Conditions on the permissions of a role', () => {
  test('are stored, listed, and replaced with the rest', async ({ client, assert }) => {
    const { permission, api, ofRole, matrix, role, read } = await anApplicationWithRole(client)
    const grant = { permissionId: permission.id, accessLevel: 'view' }
    const response = await api.put(ofRole, { permissions: [{ ...grant, condition: OPEN }] })
    response.assertStatus(200)
    assert.equal(response.body().data[0].condition, OPEN)
    assert.equal((await read(ofRole))[0].condition, OPEN)
    assert.deepEqual((await read(matrix)).grants, [{ roleId: role.id, ...grant, condition: OPEN }])
    await api.put(ofRole, { permissions: [grant] })
    assert.isNull((await read(ofRole))[0].condition)
  })

  test('are part of the ETag', async ({ client, assert }) => {
    const { permission, api, ofRole } = await anApplicationWithRole(client)
    const grant = { permissionId: permission.id, accessLevel: 'view' }
    const before = await api.put(ofRole, { permissions: [grant] })
    const after = await api.put(ofRole, { permissions: [{ ...grant, condition: OPEN }] })
    assert.notEqual(after.header('etag'), before.header('etag'))
    const token = await issuer.token(SUPER_ADMIN)
    const stale = await client
      .put(ofRole)
      .header('authorization', `Bearer ${token}`)
      .header('if-match', before.header('etag')!)
      .json({ permissions: [] })
    stale.assertStatus(412)
  })

  test('an invalid one is refused with its place, and nothing changes', async ({
    client,
    assert,
  }) => {
    const { permission, api, ofRole, read } = await anApplicationWithRole(client)
    const grant = { permissionId: permission.id, accessLevel: 'view' }
    await api.put(ofRole, { permissions: [{ ...grant, condition: OPEN }] })
    const before = await read(ofRole)
    const condition = 'true &&\n  resource.owner == "x"'
    const response = await api.put(ofRole, { permissions: [{ ...grant, condition }] })
    response.assertProblem(400, 'CONDITION_INVALID')
    assert.deepEqual(response.body().details, {
      field: 'permissions.0.condition',
      line: 2,
      column: 12,
      reason: 'Unknown field: owner',
    })
    for (const other of ['', ' ', 'x'.repeat(1_001), 'subject.email.matches("(")']) {
      const refused = await api.put(ofRole, { permissions: [{ ...grant, condition: other }] })
      refused.assertProblem(400, 'CONDITION_INVALID')
    }
    const typed = await api.put(ofRole, { permissions: [{ ...grant, condition: 1 }] })
    typed.assertProblem(400, 'VALIDATION_ERROR')
    assert.deepEqual(await read(ofRole), before)
  })
})

test.group('Conditions in the matrix', () => {
  test('stay when only the level changes', async ({ client, assert }) => {
    const { matrix, read, change } = await anApplicationWithRole(client)
    await change({ accessLevel: 'view', condition: OPEN })
    const raised = await change({ accessLevel: 'edit' })
    const [effect] = raised.body().data.changes
    assert.containsSubset(effect, {
      previousLevel: 'view',
      condition: OPEN,
      previousCondition: OPEN,
    })
    assert.containsSubset((await read(matrix)).grants, [{ accessLevel: 'edit', condition: OPEN }])
  })

  test('change, go with null, and go with the permission', async ({ client, assert }) => {
    const { matrix, read, change } = await anApplicationWithRole(client)
    await change({ accessLevel: 'view', condition: OPEN })
    await change({ accessLevel: 'view', condition: MINE })
    assert.equal((await read(matrix)).grants[0].condition, MINE)
    await change({ accessLevel: 'view', condition: null })
    assert.isNull((await read(matrix)).grants[0].condition)
    await change({ accessLevel: 'view', condition: MINE })
    const removed = await change({ accessLevel: null })
    assert.isNull(removed.body().data.changes[0].condition)
    await change({ accessLevel: 'view' })
    assert.isNull((await read(matrix)).grants[0].condition)
  })

  test('are refused if they are invalid', async ({ client, assert }) => {
    const { matrix, read, change } = await anApplicationWithRole(client)
    const response = await change({ accessLevel: 'view', condition: 'foo' })
    response.assertProblem(400, 'CONDITION_INVALID')
    assert.equal(response.body().details.field, 'changes.0.condition')
    assert.deepEqual((await read(matrix)).grants, [])
  })
})

test.group('Conditions on overrides', () => {
  test('are stored and listed everywhere', async ({ client, assert }) => {
    const given = await anApplicationWithRole(client)
    const { code, email, permission, api, onResource, read } = given
    const override = { permissionId: permission.id, granted: false, condition: MINE }
    const response = await api.put(onResource, { permissions: [override] })
    response.assertStatus(200)
    assert.equal(response.body().data[0].condition, MINE)
    assert.equal((await read(onResource))[0].condition, MINE)
    assert.equal((await read(`/api/users/${email}/apps/${code}/resources`))[0].condition, MINE)
    const [assignment] = await read(`/api/applications/${code}/assignments?email=${email}`)
    assert.equal(assignment.condition, MINE)
    const exported = await read(`/api/users/${email}/export`)
    assert.equal(exported.overrides[0].condition, MINE)
  })

  test('are refused if they are invalid, and nothing changes', async ({ client, assert }) => {
    const { permission, api, onResource, read } = await anApplicationWithRole(client)
    const override = { permissionId: permission.id, granted: true }
    await api.put(onResource, { permissions: [override] })
    const response = await api.put(onResource, { permissions: [{ ...override, condition: '1' }] })
    response.assertProblem(400, 'CONDITION_INVALID')
    assert.isNull((await read(onResource))[0].condition)
  })

  test('are refused on the panel, whose guards know no attributes', async ({ client, assert }) => {
    const { code } = await anApplication()
    const api = superAdmin(client)
    const permissions = await api.get(`/api/applications/${PANEL_APPLICATION}/permissions`)
    const [{ id }] = permissions.body().data
    const response = await api.put(
      `/api/users/${uniqueEmail()}/apps/${PANEL_APPLICATION}/resources/application/${code}/permissions`,
      { permissions: [{ permissionId: id, granted: true, condition: 'true' }] }
    )
    response.assertProblem(400, 'CONDITION_INVALID')
    assert.equal(
      response.body().details.reason,
      'Permissions of the admin panel cannot have conditions'
    )
  })
})
