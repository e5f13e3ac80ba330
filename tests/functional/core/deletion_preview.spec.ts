import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { CASCADES, ROW_KINDS } from '#database/cascades'
import { usesPostgres } from '#core/database/dialect'
import { createKey } from '#app/applications/actions/create_key'
import Application from '#app/applications/models/application'
import Broadcast from '#app/broadcasts/models/broadcast'
import { aBroadcast } from '#tests/helpers/broadcasts'
import { manageApplication } from '#tests/helpers/management'
import { changedSince, latestNote, startNoting } from '#tests/helpers/noted_changes'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  aSuperAdmin,
  anApplication,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { aBrand, aLanguage } from '#tests/helpers/platform'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

interface ForeignKey {
  child: string
  parent: string
  column_name: string
}

async function cascadingKeys(): Promise<ForeignKey[]> {
  if (!usesPostgres()) {
    return db.rawQuery(
      `select m.name as child, f."table" as parent, f."from" as column_name
       from sqlite_master m join pragma_foreign_key_list(m.name) f
       where m.type = 'table' and f.on_delete = 'CASCADE'`
    )
  }
  const { rows } = await db.rawQuery(
    `select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
       a.attname as column_name
     from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.confdeltype = 'c'`
  )
  return rows
}

const byKind = (deletes: any[]) =>
  Object.fromEntries(deletes.map(({ kind, count, names }) => [kind, [count, names]]))

test.group('Dry run of a deletion', (group) => {
  group.setup(startNoting)

  test('covers all foreign keys of the tables that it counts', async ({ assert }) => {
    const keys = (await cascadingKeys()).filter(({ parent }) => parent in ROW_KINDS)
    const found: typeof CASCADES = {}
    for (const { child, parent, column_name: column } of keys) {
      found[parent] = { ...found[parent], [child]: column }
    }
    assert.deepEqual(CASCADES, found)
    for (const { child } of keys) assert.property(ROW_KINDS, child)
  })

  test('names and counts everything in an application, and deletes nothing', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const { code } = application
    const manage = manageApplication(client, code)
    const [clerk, chief] = [
      await manage.role({ code: 'clerk' }),
      await manage.role({ code: 'chief' }),
    ]
    const permission = await manage.permission({ code: 'orders' })
    const grant = { permissionId: permission.id, accessLevel: 'allowed' }
    await manage.rolePermissions(clerk.id, [grant])
    await manage.rolePermissions(chief.id, [grant])
    const [ada, alan] = ['ada@preview.example', 'alan@preview.example']
    await manage.userRoles(ada, [clerk.id, chief.id])
    await manage.userRoles(alan, [clerk.id])
    await manage.overrides(ada, ['order', '1'], [{ permissionId: permission.id, granted: true }])
    await manage.overrides(ada, ['order', '2'], [{ permissionId: permission.id, granted: false }])
    await manage.entity({ code: 'order' })
    await manage.instance({ name: 'production' })
    await manage.administrator(alan)
    await createKey(code, { name: 'Server' })
    const viewer = await panelPerson(client, { [code]: 'view' })
    const template = await aTemplate(application, await aType(application, { code: 'news' }))
    await aVersion(template, 'en')

    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const { id } = await aBroadcast(application, { scheduledAt })

    const before = await latestNote()
    const path = `/api/applications/${code}`
    const response = await superAdmin(client).delete(`${path}?dryRun=true`)
    response.assertStatus(200)
    assert.deepEqual(await changedSince(before), [])
    assert.deepEqual(response.body().data.deletes[0], {
      kind: 'application',
      count: 1,
      names: [code],
    })
    assert.deepEqual(byKind(response.body().data.deletes), {
      application: [1, [code]],
      role: [2, ['chief', 'clerk']],
      permission: [1, ['orders']],
      administrator: [1, [alan]],
      entity: [1, ['order']],
      instance: [1, ['production']],
      key: [1, ['Server']],
      notification_type: [2, ['generic', 'news']],
      role_permission: [2, []],
      role_assignment: [3, [ada, alan]],
      override: [2, [ada]],
      template: [1, [template.key]],
      language_version: [1, ['en']],
      template_revision: [1, []],
      panel_level: [1, [viewer]],
      broadcast: [1, []],
    })
    assert.equal((await Broadcast.findOrFail(id)).status, 'scheduled')
    ;(await superAdmin(client).delete(path)).assertStatus(204)
    assert.isNull(await Application.findBy({ code }))
  })

  test('names at most 20 of many', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const role = await manage.role()
    const rows = Array.from({ length: 25 }, () => ({ email: uniqueEmail(), role: role.code }))
    const imported = await superAdmin(client).post(`/api/applications/${code}/assignments/import`, {
      rows,
    })
    imported.assertStatus(200)
    const response = await superAdmin(client).delete(
      `/api/applications/${code}/roles/${role.id}?dryRun=true`
    )
    const [, people] = response.body().data.deletes
    assert.deepEqual([people.kind, people.count, people.names.length], ['role_assignment', 25, 20])
  })

  test('a resource without dependents is named alone, and kept', async ({
    client,
    assert,
    cleanup,
  }) => {
    const application = await anApplication()
    const { code } = application
    const manage = manageApplication(client, code)
    const administrator = uniqueEmail()
    await manage.administrator(administrator)
    const [role, permission] = [await manage.role(), await manage.permission()]
    const [entity, instance] = [await manage.entity(), await manage.instance()]
    const { key } = await createKey(code, { name: 'Server' })
    const type = await aType(application)
    const template = await aTemplate(application, type)
    await aVersion(template, 'en')
    const [brand, language] = [await aBrand(client), await aLanguage(client)]
    const pool = await superAdmin(client).post('/api/admin/user-pools', {
      slug: uniqueCode('pool'),
      name: 'Pool',
      organisations: [],
    })
    const superior = await aSuperAdmin(cleanup)
    const resources: [string, string, string][] = [
      [`/api/applications/${code}/roles/${role.id}`, 'role', role.code],
      [`/api/applications/${code}/permissions/${permission.id}`, 'permission', permission.code],
      [`/api/applications/${code}/entities/${entity.id}`, 'entity', entity.code],
      [`/api/applications/${code}/instances/${instance.id}`, 'instance', instance.name],
      [`/api/applications/${code}/keys/${key.id}`, 'key', 'Server'],
      [`/api/users/admins/apps/${code}/${administrator}`, 'administrator', administrator],
      [`/api/users/admins/${superior}`, 'super_admin', superior],
      [`/api/admin/notifications/types/${code}/${type.code}`, 'notification_type', type.code],
      [`/api/admin/notifications/templates/${template.id}`, 'template', template.key],
      [`/api/admin/notifications/templates/${template.id}/locales/en`, 'language_version', 'en'],
      [`/api/admin/brands/${brand.id}`, 'brand', brand.slug],
      [`/api/admin/languages/${language.code}`, 'language', language.code],
      [`/api/admin/user-pools/${pool.body().data.id}`, 'user_pool', pool.body().data.slug],
    ]
    for (const [path, kind, name] of resources) {
      const before = await latestNote()
      const response = await superAdmin(client).delete(`${path}?dryRun=true`)
      assert.equal(response.status(), 200, path)
      assert.deepEqual(response.body().data.deletes[0], { kind, count: 1, names: [name] })
      assert.deepEqual(await changedSince(before), [], path)
    }
    for (const [path] of resources.toReversed()) {
      const response = await superAdmin(client).delete(path)
      assert.include([204, 404], response.status(), path)
    }
  })

  test('is refused like the deletion itself', async ({ client, assert }) => {
    const admin = superAdmin(client)
    ;(await admin.delete('/api/applications/auth?dryRun=true')).assertProblem(
      409,
      'APPLICATION_PROTECTED'
    )
    const { code } = await anApplication()
    const missing = await admin.delete(`/api/applications/${code}/roles/2147483647?dryRun=true`)
    missing.assertProblem(404, 'ROLE_NOT_FOUND')
    const role = await manageApplication(client, code).role()
    const wrong = await admin.delete(`/api/applications/${code}/roles/${role.id}?dryRun=maybe`)
    wrong.assertProblem(400, 'VALIDATION_ERROR')
    assert.equal((await admin.get(`/api/applications/${code}/roles/${role.id}`)).status(), 200)
  })
})
