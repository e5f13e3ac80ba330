import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import type Application from '#app/applications/models/application'
import NotificationType from '#app/notifications/models/notification_type'
import User from '#app/profiles/models/user'
import { aBroadcast, waitForBroadcastStatus, startBroadcastWorker } from '#tests/helpers/broadcasts'
import { aType } from '#tests/helpers/deliveries'
import { lifecycleEvent, manageApplication, overridesPath } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { applicationEvent, webhook } from '#tests/helpers/profiles'
import { smtp } from '#tests/world/prepare'

const own = (code: string) => `/api/profile/me/apps/${code}`

async function aHiddenApplication(client: ApiClient) {
  const application = await anApplication()
  const response = await superAdmin(client).put(`/api/applications/${application.code}`, {
    membership: 'granted',
  })
  response.assertStatus(200)
  response.assertBodyContains({ data: { membership: 'granted' } })
  return application
}

/** A user for each way to be a member of an application. */
async function members(client: ApiClient, application: Application) {
  const manage = manageApplication(client, application.code)
  const permission = await manage.permission({ code: 'read' })
  const role = await manage.role({ code: 'reader' })
  const [holder, granted] = [uniqueEmail('holder'), uniqueEmail('granted')]
  await manage.userRoles(holder, [role.id])
  await manage.overrides(
    granted,
    ['document', '1'],
    [{ permissionId: permission.id, granted: true }]
  )
  return { holder, granted, administrator: await anAdministratorOf(application) }
}

async function denied(client: ApiClient, application: Application) {
  const manage = manageApplication(client, application.code)
  const { id } = await manage.permission({ code: 'write' })
  const email = uniqueEmail('denied')
  await manage.overrides(email, ['document', '1'], [{ permissionId: id, granted: false }])
  return email
}

test.group('A hidden application', () => {
  test('refuses users who hold nothing in it, without recording them', async ({
    assert,
    client,
  }) => {
    const application = await aHiddenApplication(client)
    const { code } = application
    const outsiders = [
      uniqueEmail(),
      await denied(client, application),
      await anAdministratorOf(await anApplication()),
      await panelPerson(client, { [code]: 'view' }),
    ]
    for (const email of outsiders) {
      const person = signedIn(client, email)
      for (const response of [
        await person.get(own(code)),
        await person.post(`${own(code)}/activity`),
        await person.post(`${own(code)}/logout`),
        await person.put(own(code), { notificationsEnabled: true }),
      ]) {
        response.assertProblem(403, 'NOT_A_MEMBER')
      }
      const apps = await person.get('/api/profile/me/apps')
      assert.isEmpty(apps.body().data)
    }
    const records = await superAdmin(client).get(`/api/applications/${code}/login-records`)
    assert.isEmpty(records.body().data)
  })

  test('accepts users with a role, an override or its administration, and super admins', async ({
    client,
  }) => {
    const application = await aHiddenApplication(client)
    const people = await members(client, application)
    for (const email of [
      ...Object.values(people),
      await panelPerson(client, { [application.code]: 'edit' }),
      await panelPerson(client, {}, { globally: 'edit' }),
      superAdmin(client).email,
    ]) {
      const response = await signedIn(client, email).get(own(application.code))
      response.assertStatus(200)
    }
  })

  test('refuses former members, who can still switch off its notifications and sign out', async ({
    client,
  }) => {
    const application = await aHiddenApplication(client)
    const { holder } = await members(client, application)
    const person = signedIn(client, holder)
    const first = await person.get(own(application.code))
    first.assertStatus(200)
    await manageApplication(client, application.code).userRoles(holder, [])

    const again = await person.get(own(application.code))
    again.assertProblem(403, 'NOT_A_MEMBER')
    const active = await person.post(`${own(application.code)}/activity`)
    active.assertProblem(403, 'NOT_A_MEMBER')
    const silenced = await person.put(own(application.code), { notificationsEnabled: false })
    silenced.assertStatus(200)
    const left = await person.post(`${own(application.code)}/logout`)
    left.assertStatus(200)
  })

  test('lets its server record the logins of anyone', async ({ assert, client }) => {
    const { code } = await aHiddenApplication(client)
    const email = uniqueEmail()
    const response = await applicationEvent(client, { email, appCode: code, event: 'login' })
    response.assertStatus(200)
    assert.isTrue(response.body().data.recorded)
    const bootstrap = await signedIn(client, email).get(own(code))
    bootstrap.assertProblem(403, 'NOT_A_MEMBER')
  })

  test('sends to its members only', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const visitor = uniqueEmail('visitor')
    const enrolled = await signedIn(client, visitor).get(own(application.code))
    enrolled.assertStatus(200)
    const people = await members(client, application)
    const gone = await anAdministratorOf(application)
    await lifecycleEvent(client, 'user.deactivated', gone)
    const refused = await denied(client, application)
    await application.merge({ membership: 'granted' }).save()

    const { id } = await aBroadcast(application, { audience: { kind: 'application' } })
    startBroadcastWorker(cleanup)
    const { total, sent } = await waitForBroadcastStatus(id, 'completed')
    const mailed = (email: string) => smtp.mailsTo(email).length
    assert.deepEqual({ total, sent }, { total: 3, sent: 3 })
    assert.deepEqual(Object.values(people).map(mailed), [1, 1, 1])
    assert.deepEqual([visitor, gone, refused].map(mailed), [0, 0, 0])
  })

  test('has an audience only while it has members', async ({ client }) => {
    const application = await anApplication()
    await signedIn(client, uniqueEmail()).get(own(application.code))
    await application.merge({ membership: 'granted' }).save()
    const response = await superAdmin(client).post(
      `/api/admin/notifications/broadcast/${application.code}`,
      {
        type: 'generic',
        data: { subject: 'News', body: 'News' },
        audience: { kind: 'application' },
      }
    )
    response.assertProblem(400, 'EMPTY_AUDIENCE')
  })

  test('reveals its notification types to members only', async ({ assert, client }) => {
    const application = await aHiddenApplication(client)
    const { holder } = await members(client, application)
    const viewer = await panelPerson(client, { [application.code]: 'view' })
    const type = await aType(application, { name: 'Layoffs' })
    const person = signedIn(client, uniqueEmail())
    for (const path of [
      `/api/profile/me/notifications/${application.code}`,
      `/api/applications/${application.code}/i18n/en`,
    ]) {
      const response = await person.get(path)
      response.assertProblem(403, 'NOT_A_MEMBER')
      for (const email of [holder, viewer]) {
        const seen = await signedIn(client, email).get(path)
        seen.assertStatus(200)
        assert.include(JSON.stringify(seen.body()), 'Layoffs')
      }
    }
    const single = await person.put(`/api/profile/me/notifications/preferences/${type.id}`, {
      email: false,
    })
    single.assertProblem(404, 'NOTIFICATION_TYPE_NOT_FOUND')
    const bulk = await person.put('/api/profile/me/notifications/preferences/bulk', {
      updates: [{ notificationTypeId: type.id, email: false }],
    })
    const unknown = await person.put('/api/profile/me/notifications/preferences/bulk', {
      updates: [{ notificationTypeId: 2_000_000_000, email: false }],
    })
    bulk.assertProblem(400, unknown.body().code)
    const held = await signedIn(client, holder).put(
      `/api/profile/me/notifications/preferences/${type.id}`,
      { email: false }
    )
    held.assertStatus(200)
  })

  test('distinguishes locked and unlocked types for members only', async ({ client }) => {
    const application = await aHiddenApplication(client)
    const locked = await aType(application, { userCanDisable: false })
    const response = await signedIn(client, uniqueEmail()).put(
      `/api/profile/me/notifications/preferences/${locked.id}`,
      { email: false }
    )
    response.assertProblem(404, 'NOTIFICATION_TYPE_NOT_FOUND')
  })

  test('shows its permissions to members only', async ({ assert, client }) => {
    const application = await aHiddenApplication(client)
    const { holder } = await members(client, application)
    const path = '/api/profile/me/check/effective'
    const outside = await signedIn(client, uniqueEmail()).post(path, { app: application.code })
    assert.deepEqual(outside.body(), [])
    const inside = await signedIn(client, holder).post(path, { app: application.code })
    assert.lengthOf(inside.body(), 1)
  })

  test('does not make members by organisation', async ({ assert, client }) => {
    const application = await anApplication({ code: 'mapped-shop' })
    await application.merge({ membership: 'granted' }).save()
    const email = uniqueEmail()
    await webhook(client, { eventType: 'user.created', orgId: 'org-of-shop', user: { email } })
    assert.isNotNull(await User.findBy({ email }))
    const response = await signedIn(client, email).get(own(application.code))
    response.assertProblem(403, 'NOT_A_MEMBER')
    await application.delete()
  })

  test('accepts only the memberships open and granted', async ({ client }) => {
    const { code } = await anApplication()
    for (const membership of ['hidden', '', true, ['granted']]) {
      const response = await superAdmin(client).put(`/api/applications/${code}`, { membership })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'membership' }] })
    }
  })
})

interface Explanation {
  allowed: boolean
  steps: { evidence: object[] }[]
  wouldAllow: object[]
}

test.group('Explanations', () => {
  const question = (app: string) => ({
    app,
    permission: 'read',
    resourceType: 'document',
    resourceId: '1',
  })

  test('treat an application as unknown for users who hold nothing in it', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    await members(client, application)
    const refused = await denied(client, application)
    for (const email of [uniqueEmail(), refused, await anAdministratorOf(await anApplication())]) {
      const person = signedIn(client, email)
      await person.get('/api/profile/me')
      const explain = async (app: string, permission: string) => {
        const body = { ...question(app), permission }
        const response = await person.post('/api/profile/me/check/explain', body)
        response.assertStatus(200)
        return response.body() as Explanation
      }
      const unknown = await explain('no-such-application', 'read')
      assert.deepInclude(unknown, { allowed: false, wouldAllow: [] })
      for (const permission of ['read', 'write', 'none-such']) {
        assert.deepEqual(await explain(application.code, permission), unknown)
      }
    }
  })

  test('show users with access what they have', async ({ assert, client }) => {
    const application = await anApplication()
    const { holder, granted } = await members(client, application)
    for (const email of [holder, granted]) {
      const response = await signedIn(client, email).post('/api/profile/me/check/explain', {
        app: application.code,
        permission: 'write',
      })
      const { wouldAllow } = response.body() as Explanation
      assert.deepInclude(wouldAllow, { kind: 'administrator', application: application.code })
    }
    const servers = await client
      .post('/api/check/explain')
      .json({ ...question(application.code), email: uniqueEmail() })
    assert.isNotEmpty(servers.body().data.wouldAllow)
  })

  test('show super admins and admins of the application everything', async ({ assert, client }) => {
    const application = await anApplication()
    const viewer = await panelPerson(client, { [application.code]: 'view' })
    const body = { app: application.code, permission: 'read' }
    const seen = await signedIn(client, viewer).post('/api/profile/me/check/explain', body)
    assert.isNotEmpty((seen.body() as Explanation).wouldAllow)
    const above = await superAdmin(client).post('/api/profile/me/check/explain', body)
    assert.isTrue((above.body() as Explanation).allowed)
  })
})

interface UserBody {
  email: string
  applications: { applicationCode: string }[]
}

test.group('Lists of users', () => {
  test('show an administrator the logins into their own applications only', async ({
    assert,
    client,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    const person = signedIn(client, email)
    for (const { code } of [mine, other]) {
      await person.get(own(code))
      await person.post(`${own(code)}/logout`)
    }
    const administrator = signedIn(client, await anAdministratorOf(mine))
    const listed = await administrator.get(`/api/users?search=${encodeURIComponent(email)}`)
    const shown = await administrator.get(`/api/users/${encodeURIComponent(email)}`)
    for (const user of [...(listed.body().data as UserBody[]), shown.body().data as UserBody]) {
      assert.deepEqual(
        user.applications.map(({ applicationCode }) => applicationCode),
        [mine.code]
      )
    }
    const path = `/api/users/${encodeURIComponent(email)}/login-records`
    const records = await administrator.get(path)
    assert.lengthOf(records.body().data, 2)
    for (const { appCode } of records.body().data) assert.equal(appCode, mine.code)
    const first = await administrator.get(`${path}?limit=2`)
    assert.notExists(first.header('link'))

    for (const above of [
      superAdmin(client).email,
      await panelPerson(client, {}, { globally: 'edit' }),
    ]) {
      const all = await signedIn(client, above).get(path)
      assert.lengthOf(all.body().data, 4)
      const whole = await signedIn(client, above).get(`/api/users/${encodeURIComponent(email)}`)
      assert.lengthOf((whole.body().data as UserBody).applications, 2)
    }
  })

  test('do not reveal the members or the existence of other applications', async ({
    assert,
    client,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const administrator = signedIn(client, await anAdministratorOf(mine))
    const ofMine = await administrator.get(`/api/users?appCode=${mine.code}`)
    ofMine.assertStatus(200)
    const responses = await Promise.all(
      [other.code, 'auth', 'no-such-application'].map((code) =>
        administrator.get(`/api/users?appCode=${code}&search=person`)
      )
    )
    for (const response of responses) response.assertProblem(403, 'FORBIDDEN')
    const bodies = responses.map((response) => ({
      ...response.body(),
      requestId: null,
      details: null,
    }))
    assert.deepEqual(bodies[0], bodies[1])
    assert.deepEqual(bodies[0], bodies[2])
  })

  test('show roles and overrides only to those who can see the application', async ({ client }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const { holder } = await members(client, other)
    const administrator = signedIn(client, await anAdministratorOf(mine))
    for (const path of [
      `/api/users/${encodeURIComponent(holder)}/apps/${other.code}/roles`,
      `/api/users/${encodeURIComponent(holder)}/apps/${other.code}/resources`,
      overridesPath(holder, other.code, 'document', '1'),
    ]) {
      const response = await administrator.get(path)
      response.assertProblem(403, 'FORBIDDEN')
    }
  })
})

test.group('An open application', () => {
  test('stays open to everyone', async ({ client }) => {
    const application = await anApplication()
    const shown = await superAdmin(client).get(`/api/applications/${application.code}`)
    shown.assertBodyContains({ data: { membership: 'open', outsideRecipients: false } })
    const response = await signedIn(client, uniqueEmail()).get(own(application.code))
    response.assertStatus(200)
    const types = await NotificationType.query().where('applicationId', application.id)
    const changed = await signedIn(client, uniqueEmail()).put(
      `/api/profile/me/notifications/preferences/${types[0].id}`,
      { email: false }
    )
    changed.assertStatus(200)
  })
})
