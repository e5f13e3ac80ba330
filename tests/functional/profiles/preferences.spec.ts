import { test } from '@japa/runner'
import ApplicationPreference from '#app/profiles/models/application_preference'
import LoginRecord from '#app/profiles/models/login_record'
import { anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import { webhook } from '#tests/helpers/profiles'

const NEVER_LOGGED_IN = {
  firstLoginAt: null,
  lastLoginAt: null,
  loginCount: 0,
  lastActivityAt: null,
}

test.group('Preferences per application', () => {
  test('do not exist before the first login', async ({ assert, client }) => {
    const response = await signedIn(client, uniqueEmail()).get('/api/profile/me/apps')
    response.assertStatus(200)
    assert.deepEqual(response.body(), { success: true, data: [] })
  })

  test('are created with defaults by an update, without a login', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await anApplication()
    const response = await person.put(`/api/profile/me/apps/${code}`, {})
    response.assertStatus(200)
    const preference = {
      applicationCode: code,
      showHelp: true,
      notificationsEnabled: true,
      ...NEVER_LOGGED_IN,
    }
    assert.deepEqual(response.body(), { success: true, data: preference })
    const list = await person.get('/api/profile/me/apps')
    assert.deepEqual(list.body(), { success: true, data: [preference] })
  })

  test('change only in the switch that is sent', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}`
    for (const [change, expected] of [
      [{ showHelp: false }, { showHelp: false, notificationsEnabled: true }],
      [{ notificationsEnabled: false }, { showHelp: false, notificationsEnabled: false }],
      [{ showHelp: true }, { showHelp: true, notificationsEnabled: false }],
      [{}, { showHelp: true, notificationsEnabled: false }],
      [
        { showHelp: false, notificationsEnabled: true },
        { showHelp: false, notificationsEnabled: true },
      ],
    ]) {
      const response = await person.put(path, change)
      response.assertStatus(200)
      assert.containSubset(response.body().data, { ...expected, ...NEVER_LOGGED_IN })
      assert.containSubset((await person.get('/api/profile/me/apps')).body().data, [expected])
    }
  })

  test('keep their login statistics on an update', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}`
    const { data: before } = (await person.get(path)).body()
    const { data: after } = (await person.put(path, { showHelp: false })).body()
    assert.deepEqual(after, { ...before, showHelp: false })
  })

  test('accept only true and false for switches', async ({ client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}`
    for (const field of ['showHelp', 'notificationsEnabled']) {
      for (const value of ['true', 1, 0, '', []]) {
        const response = await person.put(path, { [field]: value })
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
      }
    }
  })

  test('do not accept statistics', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}`
    const response = await person.put(path, {
      loginCount: 99,
      firstLoginAt: '2000-01-01T00:00:00Z',
      lastActivityAt: '2000-01-01T00:00:00Z',
      userId: 1,
      applicationCode: 'auth',
    })
    assert.containSubset(response.body().data, NEVER_LOGGED_IN)
  })

  test('are listed for all applications of the user', async ({ assert, client }) => {
    const [person, other] = [signedIn(client, uniqueEmail()), signedIn(client, uniqueEmail())]
    const [first, second, third] = [
      await anApplication(),
      await anApplication(),
      await anApplication(),
    ]
    await person.get(`/api/profile/me/apps/${second.code}`)
    await person.put(`/api/profile/me/apps/${first.code}`, { showHelp: false })
    await other.get(`/api/profile/me/apps/${third.code}`)

    const response = await person.get('/api/profile/me/apps')
    assert.containSubset(response.body().data, [
      { applicationCode: second.code, showHelp: true, loginCount: 1 },
      { applicationCode: first.code, showHelp: false, loginCount: 0 },
    ])
    assert.lengthOf(response.body().data, 2)
  })

  test('an unknown application returns 404 and nothing is stored', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = '/api/profile/me/apps/no-such-application'
    for (const response of [
      await person.get(path),
      await person.put(path, { showHelp: false }),
      await person.post(`${path}/activity`),
      await person.post(`${path}/logout`),
    ]) {
      response.assertProblem(404, 'APPLICATION_NOT_FOUND')
    }
    assert.isEmpty((await person.get('/api/profile/me/apps')).body().data)
  })

  test('are deleted with their application', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const application = await anApplication()
    await person.get(`/api/profile/me/apps/${application.code}`)
    await application.delete()
    assert.isEmpty((await person.get('/api/profile/me/apps')).body().data)
    assert.isEmpty(await ApplicationPreference.query().where({ applicationId: application.id }))
  })

  test('are created once by concurrent first updates', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const { code, id } = await anApplication()
    await Promise.all(
      Array.from({ length: 20 }, () =>
        person.put(`/api/profile/me/apps/${code}`, { showHelp: false })
      )
    )
    const rows = await ApplicationPreference.query().where({ applicationId: id })
    assert.deepEqual(
      rows.map(({ showHelp }) => showHelp),
      [false]
    )
  })

  test('are unavailable to a deactivated user', async ({ assert, client }) => {
    const email = uniqueEmail()
    await webhook(client, { eventType: 'user.removed', user: { email } })
    const { code } = await anApplication()
    const response = await signedIn(client, email).get(`/api/profile/me/apps/${code}`)
    response.assertProblem(403, 'USER_INACTIVE')
    assert.lengthOf(await LoginRecord.query().where({ email }), 0)
  })
})
