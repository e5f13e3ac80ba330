import { DateTime } from 'luxon'
import { test } from '@japa/runner'
import { handleLifecycleEvent } from '#app/identity_provider/user_lifecycle/handle_lifecycle_event'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { addSuperAdmin } from '#app/permissions/actions/add_super_admin'
import { removeSuperAdmin } from '#app/permissions/actions/remove_super_admin'
import { replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import { createRole } from '#app/permissions/actions/create_role'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { aShop } from '#tests/functional/checks/shop'

test.group('GET /api/profile/me/admin-status', () => {
  test('is empty for a plain user', async ({ client, assert }) => {
    const email = uniqueEmail()
    const response = await signedIn(client, email).get('/api/profile/me/admin-status')
    response.assertStatus(200)
    assert.deepEqual(response.body(), {
      code: 'OK',
      response: {
        email,
        isSuperAdmin: false,
        appAdminFor: [],
        panelPermissions: [],
        roles: [],
        applications: [],
      },
    })
  })

  test('lists administered applications and roles, sorted', async ({ client, assert }) => {
    const email = uniqueEmail()
    const [b, a] = await Promise.all(
      ['b', 'a'].map((name) => anApplication({ code: `${name}-${uniqueCode()}` }))
    )
    for (const { code } of [b, a]) {
      await addApplicationAdmin(email, code)
      const roles = await Promise.all(
        ['z-role', 'a-role'].map((role) => createRole(code, { code: role }))
      )
      await replaceUserRoles(
        email,
        code,
        roles.map(({ id }) => ({ roleId: id }))
      )
    }
    const response = await signedIn(client, email).get('/api/profile/me/admin-status')
    assert.deepEqual(response.body().response, {
      email,
      isSuperAdmin: false,
      appAdminFor: [a.code, b.code],
      panelPermissions: [],
      roles: [
        { appCode: a.code, roleCodes: ['a-role', 'z-role'] },
        { appCode: b.code, roleCodes: ['a-role', 'z-role'] },
      ],
      applications: [a, b].map(({ code }) => ({
        appCode: code,
        level: 'edit',
        via: 'application_admin',
      })),
    })
  })

  test('lists the level on each application and its reason', async ({ client, assert }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const email = await panelPerson(client, { [mine.code]: 'view' })
    const applicationsOf = async (person: string) => {
      const response = await signedIn(client, person).get('/api/profile/me/admin-status')
      return response.body().response.applications
    }
    assert.deepEqual(await applicationsOf(email), [
      { appCode: mine.code, level: 'view', via: 'panel' },
    ])
    const all = await applicationsOf(SUPER_ADMIN)
    for (const appCode of [mine.code, other.code, 'auth']) {
      assert.deepInclude(all, { appCode, level: 'edit', via: 'super_admin' })
    }
    const shown = await signedIn(client, email).get(`/api/applications/${mine.code}`)
    assert.equal(shown.body().data.level, 'view')
    const listed = await signedIn(client, email).get('/api/applications')
    assert.deepEqual(listed.body().data, [shown.body().data])
  })

  test('a panel level opens the list of the application’s users', async ({ client, assert }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const email = await panelPerson(client, { [mine.code]: 'view' })
    const holder = uniqueEmail()
    await addApplicationAdmin(holder, mine.code)
    await addApplicationAdmin(uniqueEmail(), other.code)
    const viewer = signedIn(client, email)
    const listed = await viewer.get(`/api/users?appCode=${mine.code}`)
    listed.assertStatus(200)
    assert.deepEqual(
      listed.body().data.map((person: { email: string }) => person.email),
      [holder]
    )
    for (const query of ['', `?appCode=${other.code}`, `?appCode=${mine.code}&appCode=auth`]) {
      const refused = await viewer.get(`/api/users${query}`)
      refused.assertProblem(403, 'FORBIDDEN')
    }
  })

  test('lists panel permissions that are granted globally', async ({ client, assert }) => {
    const application = await anApplication()
    const global = await panelPerson(client, {}, { globally: 'view' })
    const single = await panelPerson(client, { [application.code]: 'edit' })
    const status = async (email: string) => {
      const response = await signedIn(client, email).get('/api/profile/me/admin-status')
      return response.body().response
    }
    assert.deepEqual((await status(global)).panelPermissions, ['applications.manage'])
    assert.deepEqual((await status(single)).panelPermissions, [])
    assert.containsSubset(await status(single), {
      roles: [{ appCode: 'auth', roleCodes: ['application_manager'] }],
    })
  })

  test('shows a super admin until they are deactivated', async ({ client, assert }) => {
    const email = uniqueEmail('root')
    await addSuperAdmin(email)
    const { application } = await aShop(client)
    await addApplicationAdmin(email, application.code)
    const status = async () => {
      const response = await signedIn(client, email).get('/api/profile/me/admin-status')
      return response.body().response
    }
    assert.containsSubset(await status(), {
      isSuperAdmin: true,
      appAdminFor: [application.code],
      panelPermissions: ['applications.manage'],
    })

    await handleLifecycleEvent({
      type: 'user.deactivated',
      email,
      userId: null,
      orgId: null,
      names: {},
      occurredAt: DateTime.utc(),
    })
    const refused = await signedIn(client, email).get('/api/profile/me/admin-status')
    refused.assertProblem(403, 'USER_INACTIVE')
    await removeSuperAdmin(email)
  })
})
