import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import AuditEntry from '#app/audit/models/audit_entry'
import { createUser } from '#app/profiles/actions/ensure_user'
import { hasLevel } from '#tests/access/callers'
import { inPath, manageApplication } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'

const stateAfter = async (application: string, action: string) => {
  const entry = await AuditEntry.findBy({ application, action })
  return JSON.parse(entry?.stateAfter ?? '{}')
}

test.group('An audit entry', () => {
  test('shows a permission that is called like a timestamp', async ({ assert, client }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const role = await manage.role()
    const { id: permissionId } = await manage.permission({ code: 'updatedAt' })
    await manage.rolePermissions(role.id, [{ permissionId, accessLevel: 'allowed' }])
    assert.property(await stateAfter(code, 'role.permissions_replaced'), 'updatedAt')
  })

  for (const resourceId of ['createdAt', 'constructor', '__proto__', 'toJSON']) {
    test(`shows a resource that is called ${resourceId}`, async ({ assert, client }) => {
      const { code } = await anApplication()
      const { id } = await manageApplication(client, code).entity()
      const path = `/api/applications/${code}/entities/${id}/resources`
      const saved = await superAdmin(client).put(path, { resources: [{ resourceId }] })
      saved.assertStatus(200)
      assert.include(Object.keys(await stateAfter(code, 'resources.saved')), resourceId)
    })
  }

  test('of a deletion lists everything that was deleted', async ({ assert, client }) => {
    const admin = superAdmin(client)
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const entities = [await manage.entity(), await manage.entity()]
    for (const { id } of entities) {
      const path = `/api/applications/${code}/entities/${id}/resources`
      await admin.put(path, { resources: [{ resourceId: 'one' }] })
    }
    await hasLevel(uniqueEmail(), code, 'view')
    const resources = { kind: 'resource', count: 1, names: ['one'] }
    const deletesOf = async (path: string, action: string) => {
      const { deletes } = (await admin.delete(`${path}?dryRun=true`)).body().data
      await admin.delete(path)
      const entry = await AuditEntry.findByOrFail({ application: code, action })
      assert.deepEqual(JSON.parse(entry.stateBefore!).deletes, deletes.slice(1))
      return deletes
    }
    const entity = `/api/applications/${code}/entities/${entities[0].id}`
    assert.deepInclude(await deletesOf(entity, 'entity.deleted'), resources)
    const all = await deletesOf(`/api/applications/${code}`, 'application.deleted')
    assert.deepInclude(all, resources)
    assert.include(JSON.stringify(all), 'panel_level')
  })

  test('begins where the previous one ended, if changes come together', async ({
    assert,
    client,
  }) => {
    const [{ code }, email] = [await anApplication(), uniqueEmail()]
    await createUser({ email }, db.connection())
    const path = `/api/users/${inPath(email)}/apps/${code}/preferences`
    await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        superAdmin(client).put(path, { notificationsEnabled: index % 2 === 1 })
      )
    )
    const entries = await AuditEntry.query()
      .where({ application: code, action: 'user.preferences_changed' })
      .orderBy('id')
    assert.isNotEmpty(entries)
    const states = entries.map(({ stateBefore, stateAfter: after }) => [stateBefore, after])
    assert.deepEqual(
      states.slice(1).map(([before]) => before),
      states.slice(0, -1).map(([, after]) => after)
    )
  })

  test('is left once, however often a key is revoked at the same time', async ({
    assert,
    client,
  }) => {
    const { code } = await anApplication()
    const keys = `/api/applications/${code}/keys`
    for (let round = 0; round < 5; round++) {
      const { id } = (await superAdmin(client).post(keys, { name: `key ${round}` })).body().data
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => superAdmin(client).delete(`${keys}/${id}`))
      )
      const statuses = responses.map((response) => response.status()).sort()
      assert.deepEqual(statuses, [204, ...Array<number>(7).fill(404)])
      const action = 'application_key.revoked'
      assert.lengthOf(await AuditEntry.query().where({ application: code, action }), round + 1)
    }
  })
})
