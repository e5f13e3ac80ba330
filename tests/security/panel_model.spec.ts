import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import { manageApplication } from '#tests/helpers/management'
import { idOf, panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
} from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { startProductionService } from '#tests/world/production_service'

const PANEL = '/api/applications/auth'

/** Not even a global panel admin or a super admin may break the panel. */
async function attackers(client: ApiClient) {
  const globalAdmin = signedIn(client, await panelPerson(client, {}, { globally: 'edit' }))
  return [globalAdmin, superAdmin(client)]
}

async function seeded(client: ApiClient) {
  const { id } = await Application.withCode('auth')
  const entity = await Entity.findByOrFail({ applicationId: id, code: 'application' })
  return {
    permission: await idOf(client, 'permissions', 'applications.manage'),
    manager: await idOf(client, 'roles', 'application_manager'),
    panelAdmin: await idOf(client, 'roles', 'panel_admin'),
    entity: entity.id,
  }
}

test.group("The panel's own permission model", () => {
  test('its permission, roles and entity can be neither deleted nor given another code', async ({
    client,
  }) => {
    const { permission, manager, panelAdmin, entity } = await seeded(client)
    const code = uniqueCode()
    for (const attacker of await attackers(client)) {
      for (const path of [
        `${PANEL}/permissions/${permission}`,
        `${PANEL}/roles/${manager}`,
        `${PANEL}/roles/${panelAdmin}`,
        `${PANEL}/entities/${entity}`,
      ]) {
        const changed = await attacker.put(path, { code })
        changed.assertProblem(409, 'PANEL_PROTECTED')
        const deleted = await attacker.delete(path)
        deleted.assertProblem(409, 'PANEL_PROTECTED')
      }
    }
  })

  test('fields of its permission that affect decisions cannot be changed', async ({
    client,
    assert,
  }) => {
    const { permission } = await seeded(client)
    const path = `${PANEL}/permissions/${permission}`
    const parent = await manageApplication(client, 'auth').permission()
    const before = (await superAdmin(client).get(path)).body()
    for (const attacker of await attackers(client)) {
      for (const change of [
        { type: 'binary' },
        { global: true },
        { parentPermissionId: parent.id },
      ]) {
        const changed = await attacker.put(path, change)
        changed.assertProblem(409, 'PANEL_PROTECTED')
      }
    }
    const after = await superAdmin(client).get(path)
    assert.deepEqual(after.body(), before)
  })

  test('permissions of its roles cannot be changed', async ({ client, assert }) => {
    const { permission: permissionId, manager, panelAdmin } = await seeded(client)
    const grants = async (id: number) =>
      (await superAdmin(client).get(`${PANEL}/roles/${id}/permissions`)).body().data
    const before = [await grants(panelAdmin), await grants(manager)]
    for (const attacker of await attackers(client)) {
      for (const [role, permissions] of [
        [panelAdmin, []],
        [panelAdmin, [{ permissionId, accessLevel: 'view' }]],
        [manager, [{ permissionId, accessLevel: 'view' }]],
        [manager, [{ permissionId, accessLevel: 'edit' }]],
      ] as const) {
        const changed = await attacker.put(`${PANEL}/roles/${role}/permissions`, { permissions })
        changed.assertProblem(409, 'PANEL_PROTECTED')
      }
    }
    assert.deepEqual([await grants(panelAdmin), await grants(manager)], before)
  })

  test('texts of protected objects can be changed', async ({ client, cleanup }) => {
    const { permission, manager, entity } = await seeded(client)
    for (const [path, code, change] of [
      [`${PANEL}/permissions/${permission}`, 'applications.manage', { description: 'Mine' }],
      [`${PANEL}/permissions/${permission}`, 'applications.manage', { groupName: 'Mine' }],
      [`${PANEL}/roles/${manager}`, 'application_manager', { description: 'Mine' }],
      [`${PANEL}/entities/${entity}`, 'application', { name: 'Mine', idLabel: 'Mine' }],
    ] as const) {
      const { data } = (await superAdmin(client).get(path)).body()
      cleanup(async () => {
        const back = Object.keys(change).map((field) => [field, data[field]])
        await superAdmin(client).put(path, Object.fromEntries(back))
      })
      const changed = await superAdmin(client).put(path, { code, ...change })
      changed.assertStatus(200)
      changed.assertBodyContains({ data: { code, ...change } })
    }
  })

  test('additions of an installation can be changed, assigned and deleted', async ({ client }) => {
    const [admin] = await attackers(client)
    const panel = manageApplication(client, 'auth')
    const { permission, panelAdmin } = await seeded(client)
    const own = {
      permissions: await panel.permission(),
      roles: await panel.role(),
      entities: await panel.entity(),
    }
    const kept = { permissionId: permission, accessLevel: 'edit' }
    const added = { permissionId: own.permissions.id, accessLevel: 'allowed' }
    for (const permissions of [[kept, added], [kept]]) {
      const given = await admin.put(`${PANEL}/roles/${panelAdmin}/permissions`, { permissions })
      given.assertStatus(200)
    }
    for (const [kind, { id }] of Object.entries(own)) {
      const changed = await admin.put(`${PANEL}/${kind}/${id}`, { code: uniqueCode() })
      changed.assertStatus(200)
      const deleted = await admin.delete(`${PANEL}/${kind}/${id}`)
      deleted.assertStatus(204)
    }
  })

  test('other applications can use the same codes freely', async ({ client }) => {
    const { code } = await anApplication()
    const panel = manageApplication(client, code)
    const path = `/api/applications/${code}`
    const { id } = await panel.permission({ code: 'applications.manage', type: 'tiered' })
    const role = await panel.role({ code: 'panel_admin' })
    const entity = await panel.entity({ code: 'application' })
    const emptied = await superAdmin(client).put(`${path}/roles/${role.id}/permissions`, {
      permissions: [],
    })
    emptied.assertStatus(200)
    for (const one of [`permissions/${id}`, `roles/${role.id}`, `entities/${entity.id}`]) {
      const deleted = await superAdmin(client).delete(`${path}/${one}`)
      deleted.assertStatus(204)
    }
  })

  test('the panel cannot be closed to administrators of applications', async ({
    client,
    cleanup,
  }) => {
    cleanup(async () => {
      const panel = await Application.withCode('auth')
      await panel.merge({ membership: 'open' }).save()
    })
    for (const attacker of await attackers(client)) {
      const closed = await attacker.put(PANEL, { membership: 'granted' })
      closed.assertProblem(409, 'PANEL_PROTECTED')
      const open = await attacker.put(PANEL, { membership: 'open' })
      open.assertStatus(200)
    }
    const admin = signedIn(client, await anAdministratorOf(await anApplication()))
    const entered = await admin.get('/api/profile/me/apps/auth')
    entered.assertStatus(200)
  })
})

test.group("The application of the identity provider's mails", () => {
  test('cannot be deleted', async ({ client, cleanup }) => {
    const { code } = await anApplication()
    const service = await startProductionService({
      ...sameDatabase(),
      IDP_NOTIFICATION_APPLICATION: code,
    })
    cleanup(async () => {
      await service.stop()
    })
    for (const attacker of await attackers(client)) {
      const deleted = await attacker.delete(`${service.url}/api/applications/${code}`)
      deleted.assertProblem(409, 'APPLICATION_PROTECTED')
    }
  })
})
