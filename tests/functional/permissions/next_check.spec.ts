import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import SuperAdmin from '#app/permissions/models/super_admin'
import {
  allowed,
  lifecycleEvent,
  manageApplication,
  overridesPath,
} from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'

/**
 * A user, an application and a permission of each type. `answers` runs every kind of check. Its
 * decisions are cached, so that the next call tests what a write has invalidated.
 */
async function aQuestion(client: ApiClient) {
  const application = await anApplication()
  const { code } = application
  const manage = manageApplication(client, code)
  const binary = await manage.permission({ code: 'binary', type: 'binary' })
  const tiered = await manage.permission({ code: 'tiered', type: 'tiered' })
  const role = await manage.role()
  const email = uniqueEmail()
  const admin = superAdmin(client)
  const resource = { resourceType: 'doc', resourceId: '1' }

  /** What is allowed globally and on the document, such as `all:tiered=view`. */
  const answers = async () => {
    const held: string[] = []
    for (const scope of [{}, resource]) {
      const place = 'resourceId' in scope ? 'doc' : 'all'
      for (const permission of ['binary', 'tiered']) {
        const level = await heldLevel(client, { email, app: code, permission, ...scope })
        if (level) held.push(`${place}:${permission}=${level}`)
      }
    }
    return held.join(' ')
  }

  return { application, code, manage, binary, tiered, role, email, admin, answers }
}

type Asked = { email: string; app: string; permission: string }

/** The highest allowed level. Fails if the single, bulk and own checks disagree. */
async function heldLevel(client: ApiClient, { email, ...asked }: Asked) {
  const levels = ['edit', 'view', 'allowed']
  const person = signedIn(client, email)
  const { permission, ...scope } = asked
  const yes = async (level: string) => {
    const single = await allowed(client, { email, ...asked, level })
    const bulk = await client
      .post('/api/check/bulk')
      .json({ email, ...scope, permissions: [permission], level })
    const own = await person.post('/api/profile/me/check', { ...asked, level })
    const all = [single, bulk.body().data[permission], own.body().allowed]
    if (new Set(all).size > 1) throw new Error(`The checks disagree: ${all}`)
    return single
  }
  for (const level of levels) if (await yes(level)) return level
  return undefined
}

test.group('The next check after a write', () => {
  test('the cache is active: a change without an event shows only after it is cleared', async ({
    client,
    assert,
  }) => {
    const { role, tiered, email, manage, answers } = await aQuestion(client)
    await manage.rolePermissions(role.id, [{ permissionId: tiered.id, accessLevel: 'view' }])
    // Another process may clear all caches in between, such as after it lost the database.
    await eventually('an answer from the cache', async () => {
      await manage.userRoles(email, [role.id])
      const before = await answers()
      assert.equal(before, 'all:tiered=view doc:tiered=view')
      await db.from('user_roles').where({ email }).delete()
      return (await answers()) === before
    })
    const cleared = await client.post('/api/check/cache/clear')
    cleared.assertBody({ success: true, data: { cleared: true } })
    assert.equal(await answers(), '')
  })

  test('sees a change of a role’s permissions', async ({ client, assert }) => {
    const { manage, role, binary, tiered, email, answers } = await aQuestion(client)
    await manage.userRoles(email, [role.id])
    assert.equal(await answers(), '')
    await manage.rolePermissions(role.id, [{ permissionId: tiered.id, accessLevel: 'view' }])
    assert.equal(await answers(), 'all:tiered=view doc:tiered=view')
    await manage.rolePermissions(role.id, [
      { permissionId: tiered.id, accessLevel: 'edit' },
      { permissionId: binary.id, accessLevel: 'allowed' },
    ])
    assert.equal(
      await answers(),
      'all:binary=allowed all:tiered=edit doc:binary=allowed doc:tiered=edit'
    )
    await manage.rolePermissions(role.id, [])
    assert.equal(await answers(), '')
  })

  test('sees a change of a user’s roles', async ({ client, assert }) => {
    const { manage, role, tiered, email, answers } = await aQuestion(client)
    const higher = await manage.role()
    await manage.rolePermissions(role.id, [{ permissionId: tiered.id, accessLevel: 'view' }])
    await manage.rolePermissions(higher.id, [{ permissionId: tiered.id, accessLevel: 'edit' }])
    assert.equal(await answers(), '')
    await manage.userRoles(email, [role.id])
    assert.equal(await answers(), 'all:tiered=view doc:tiered=view')
    await manage.userRoles(email, [role.id, higher.id])
    assert.equal(await answers(), 'all:tiered=edit doc:tiered=edit')
    await manage.userRoles(email, [])
    assert.equal(await answers(), '')
  })

  test('sees the deletion of a role', async ({ client, assert }) => {
    const { manage, role, binary, email, code, admin, answers } = await aQuestion(client)
    await manage.rolePermissions(role.id, [{ permissionId: binary.id, accessLevel: 'allowed' }])
    await manage.userRoles(email, [role.id])
    assert.equal(await answers(), 'all:binary=allowed doc:binary=allowed')
    const deleted = await admin.delete(`/api/applications/${code}/roles/${role.id}`)
    deleted.assertStatus(204)
    assert.equal(await answers(), '')
  })

  test('sees the creation, change and deletion of overrides', async ({ client, assert }) => {
    const { manage, role, tiered, email, code, admin, answers } = await aQuestion(client)
    await manage.rolePermissions(role.id, [{ permissionId: tiered.id, accessLevel: 'edit' }])
    await manage.userRoles(email, [role.id])
    const replace = async (items: object[]) => {
      const path = overridesPath(email, code, 'doc', '1')
      const response = await admin.put(path, { permissions: items })
      response.assertStatus(200)
    }
    const permissionId = tiered.id
    assert.equal(await answers(), 'all:tiered=edit doc:tiered=edit')
    await replace([{ permissionId, granted: false }])
    assert.equal(await answers(), 'all:tiered=edit')
    await replace([{ permissionId, granted: true, accessLevel: 'view' }])
    assert.equal(await answers(), 'all:tiered=edit doc:tiered=view')
    await replace([])
    assert.equal(await answers(), 'all:tiered=edit doc:tiered=edit')
  })

  test('sees the addition and removal of an application administrator', async ({
    client,
    assert,
  }) => {
    const { manage, email, code, admin, answers } = await aQuestion(client)
    assert.equal(await answers(), '')
    await manage.administrator(email)
    const everything = 'all:binary=allowed all:tiered=edit doc:binary=allowed doc:tiered=edit'
    assert.equal(await answers(), everything)
    const removed = await admin.delete(`/api/users/admins/apps/${code}/${email}`)
    removed.assertStatus(204)
    assert.equal(await answers(), '')
  })

  test('sees the addition and removal of a super admin in every application', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { email, admin, answers } = await aQuestion(client)
    const unknown = { email, app: uniqueCode(), permission: 'anything' }
    assert.equal(await answers(), '')
    assert.isFalse(await allowed(client, unknown))
    cleanup(async () => {
      await SuperAdmin.query().where('email', email).delete()
    })
    const made = await admin.post('/api/users/admins', { email })
    made.assertStatus(201)
    const everything = 'all:binary=edit all:tiered=edit doc:binary=edit doc:tiered=edit'
    assert.equal(await answers(), everything)
    assert.isTrue(await allowed(client, unknown))
    const removed = await admin.delete(`/api/users/admins/${email}`)
    removed.assertStatus(204)
    assert.equal(await answers(), '')
    assert.isFalse(await allowed(client, unknown))
  })

  test('sees a permission deleted, renamed and created', async ({ client, assert }) => {
    const { manage, role, binary, email, code, admin, answers } = await aQuestion(client)
    await manage.rolePermissions(role.id, [{ permissionId: binary.id, accessLevel: 'allowed' }])
    await manage.userRoles(email, [role.id])
    const path = `/api/applications/${code}/permissions/${binary.id}`
    assert.equal(await answers(), 'all:binary=allowed doc:binary=allowed')
    await admin.put(`${path}?rename=true`, { code: 'renamed' })
    assert.equal(await answers(), '')
    await admin.put(`${path}?rename=true`, { code: 'binary' })
    assert.equal(await answers(), 'all:binary=allowed doc:binary=allowed')
    const deleted = await admin.delete(path)
    deleted.assertStatus(204)
    assert.equal(await answers(), '')

    // An administrator has undefined permissions at another level than defined ones.
    await manage.administrator(email)
    const asked = { email, app: code, permission: 'later', level: 'edit' }
    assert.isTrue(await allowed(client, asked))
    await manage.permission({ code: 'later', type: 'binary' })
    assert.isFalse(await allowed(client, asked))
  })

  test('sees a permission become global and no longer global', async ({ client, assert }) => {
    const { manage, tiered, email, code, admin, answers } = await aQuestion(client)
    const items = [{ permissionId: tiered.id, granted: true }]
    await manage.overrides(email, ['doc', '1'], items)
    const path = `/api/applications/${code}/permissions/${tiered.id}`
    assert.equal(await answers(), 'doc:tiered=edit')
    await admin.put(`${path}?force=true`, { global: true })
    assert.equal(await answers(), '')
    await admin.put(path, { global: false })
    assert.equal(await answers(), 'doc:tiered=edit')
  })

  test('sees a change of a permission’s type', async ({ client, assert }) => {
    const { manage, binary, email, code, admin, answers } = await aQuestion(client)
    await manage.administrator(email)
    const everything = 'all:binary=allowed all:tiered=edit doc:binary=allowed doc:tiered=edit'
    assert.equal(await answers(), everything)
    await admin.put(`/api/applications/${code}/permissions/${binary.id}`, { type: 'tiered' })
    assert.equal(await answers(), 'all:binary=edit all:tiered=edit doc:binary=edit doc:tiered=edit')
  })

  test('sees an application deleted and another created with its code', async ({
    client,
    assert,
  }) => {
    const { manage, role, binary, email, code, admin, answers } = await aQuestion(client)
    await manage.rolePermissions(role.id, [{ permissionId: binary.id, accessLevel: 'allowed' }])
    await manage.userRoles(email, [role.id])
    assert.equal(await answers(), 'all:binary=allowed doc:binary=allowed')
    const deleted = await admin.delete(`/api/applications/${code}`)
    deleted.assertStatus(204)
    assert.equal(await answers(), '')

    await anApplication({ code })
    const again = await manage.permission({ code: 'binary' })
    const newRole = await manage.role()
    await manage.rolePermissions(newRole.id, [{ permissionId: again.id, accessLevel: 'allowed' }])
    assert.equal(await answers(), '')
    await manage.userRoles(email, [newRole.id])
    assert.equal(await answers(), 'all:binary=allowed doc:binary=allowed')
  })

  test('sees that a panel level is deleted with its application', async ({ client, assert }) => {
    const { code, admin, email } = await aQuestion(client)
    const panel = manageApplication(client, 'auth')
    const permissions = await admin.get('/api/applications/auth/permissions')
    const { id } = permissions
      .body()
      .data.find((permission: { code: string }) => permission.code === 'applications.manage')
    const asked = {
      email,
      app: 'auth',
      permission: 'applications.manage',
      resourceType: 'application',
      resourceId: code,
    }
    assert.isFalse(await allowed(client, asked))
    await panel.overrides(email, ['application', code], [{ permissionId: id, granted: true }])
    assert.isTrue(await allowed(client, asked))
    await admin.delete(`/api/applications/${code}`)
    assert.isFalse(await allowed(client, asked))
  })

  test('sees a user deactivated, removed and reactivated', async ({ client, assert }) => {
    const { manage, role, tiered, email, answers } = await aQuestion(client)
    await manage.rolePermissions(role.id, [{ permissionId: tiered.id, accessLevel: 'view' }])
    await manage.userRoles(email, [role.id])
    const granted = 'all:tiered=view doc:tiered=view'
    assert.equal(await answers(), granted)
    await lifecycleEvent(client, 'user.created', email)
    assert.equal(await answers(), granted)
    for (const event of ['user.deactivated', 'user.removed']) {
      await lifecycleEvent(client, event, email)
      assert.equal(await answers(), '')
      await lifecycleEvent(client, 'user.reactivated', email)
      assert.equal(await answers(), granted)
    }
  })

  test('sees the deactivation of an unknown user, even of an administrator', async ({
    client,
    assert,
  }) => {
    const { manage, email, answers } = await aQuestion(client)
    await manage.administrator(email)
    const everything = 'all:binary=allowed all:tiered=edit doc:binary=allowed doc:tiered=edit'
    assert.equal(await answers(), everything)
    await lifecycleEvent(client, 'user.deactivated', email.toUpperCase())
    assert.equal(await answers(), '')
  })

  test('a refused write changes no decision', async ({ client, assert }) => {
    const { manage, role, tiered, email, code, admin, answers } = await aQuestion(client)
    await manage.rolePermissions(role.id, [{ permissionId: tiered.id, accessLevel: 'view' }])
    await manage.userRoles(email, [role.id])
    const before = await answers()
    const unknown = 2_147_483_647
    const refused = [
      await admin.put(`/api/applications/${code}/roles/${role.id}/permissions`, {
        permissions: [{ permissionId: unknown, accessLevel: 'edit' }],
      }),
      await admin.put(`/api/users/${email}/apps/${code}/roles`, { roleIds: [unknown] }),
      await admin.put(overridesPath(email, code, 'doc', '1'), {
        permissions: [
          { permissionId: tiered.id, granted: false },
          { permissionId: unknown, granted: false },
        ],
      }),
      await admin.put(`/api/applications/${code}/permissions/${tiered.id}`, { type: 'binary' }),
    ]
    assert.deepEqual(
      refused.map((response) => response.status()),
      [400, 400, 400, 409]
    )
    assert.equal(await answers(), before)
  })
})
