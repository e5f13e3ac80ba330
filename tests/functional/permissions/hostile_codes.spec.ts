import { test } from '@japa/runner'
import { allowed, manageApplication, withoutCounts } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'

const HOSTILE = [
  { what: '__proto__', code: '__proto__' },
  { what: 'constructor', code: 'constructor' },
  { what: 'prototype', code: 'prototype' },
  { what: 'hasOwnProperty', code: 'hasOwnProperty' },
  { what: 'toString', code: 'toString' },
  { what: 'valueOf', code: 'valueOf' },
  { what: 'a NUL character', code: 'a\u0000b' },
  { what: 'a lone surrogate', code: 'a\ud800b' },
  { what: 'a zero-width space', code: 'a\u200bb' },
  { what: 'a line break', code: 'a\nb' },
  { what: 'a blank', code: 'a b' },
  { what: 'empty text', code: '' },
  { what: '129 characters', code: 'a'.repeat(129) },
]

test.group('Hostile codes', () => {
  test('permissions, roles and entities refuse a code: {what}')
    .with(HOSTILE)
    .run(async ({ client, assert }, { code }) => {
      const application = await anApplication()
      const manage = manageApplication(client, application.code)
      const base = `/api/applications/${application.code}`
      const kept = {
        permissions: await manage.permission(),
        roles: await manage.role(),
        entities: await manage.entity(),
      }
      const admin = superAdmin(client)
      for (const [kind, existing] of Object.entries(kept)) {
        const body = { code, type: 'binary', name: 'Name' }
        const created = await admin.post(`${base}/${kind}`, body)
        created.assertProblem(400, 'VALIDATION_ERROR')
        const changed = await admin.put(`${base}/${kind}/${existing.id}`, { code })
        changed.assertProblem(400, 'VALIDATION_ERROR')
        const all = await admin.get(`${base}/${kind}`)
        assert.deepEqual(withoutCounts(all.body().data), [existing])
      }
    })

  test('text with wildcards, quotes or SQL is stored literally', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const email = uniqueEmail()
    const permission = await manage.permission()
    for (const resourceId of ["'; drop table permissions; --", '%', '_', '"', '\\', '$1', '?']) {
      await manage.overrides(
        email,
        ['doc', resourceId],
        [{ permissionId: permission.id, granted: true }]
      )
      const on = (id: string) => ({
        email,
        app: code,
        permission: permission.code,
        resourceType: 'doc',
        resourceId: id,
      })
      assert.isTrue(await allowed(client, on(resourceId)))
      assert.isFalse(await allowed(client, on(`${resourceId}x`)))
      await manage.overrides(email, ['doc', resourceId], [])
    }
  })

  test('keys that would change a prototype are dropped', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const body = '{"code": "export", "type": "binary", "__proto__": {"global": true, "id": 1}}'
    const response = await admin.post(`/api/applications/${code}/permissions`, JSON.parse(body))
    response.assertStatus(201)
    assert.isFalse(response.body().data.global)
    assert.isUndefined(Reflect.get({}, 'global'))
  })

  test('codes that look alike are different permissions', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const role = await manage.role()
    const codes = ['a.b', 'a:b', 'a/b', 'a-b', 'a_b', 'A.b']
    const [first] = await Promise.all(codes.map((each) => manage.permission({ code: each })))
    await manage.rolePermissions(role.id, [{ permissionId: first.id, accessLevel: 'allowed' }])
    const email = uniqueEmail()
    await manage.userRoles(email, [role.id])
    const response = await client
      .post('/api/check/bulk')
      .json({ email, app: code, permissions: codes })
    assert.deepEqual(
      Object.keys(response.body().data).filter((each) => response.body().data[each]),
      ['a.b']
    )
  })
})
