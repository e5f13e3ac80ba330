import { test } from '@japa/runner'
import LoginRecord from '#app/profiles/models/login_record'
import { TIMESTAMP } from '#tests/helpers/management'
import { anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import { applicationEvent } from '#tests/helpers/profiles'

const recordsOf = (email: string) => LoginRecord.query().where({ email }).orderBy('id')

test.group('Logins through the bootstrap of a frontend', () => {
  test('the first login creates the preference and all statistics', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await anApplication()
    const before = Date.now()
    const response = await person.get(`/api/profile/me/apps/${code}`)

    response.assertStatus(200)
    assert.isTrue(response.body().success)
    const preference = response.body().data
    assert.sameMembers(Object.keys(preference), [
      'applicationCode',
      'showHelp',
      'notificationsEnabled',
      'firstLoginAt',
      'lastLoginAt',
      'loginCount',
      'lastActivityAt',
    ])
    assert.containSubset(preference, {
      applicationCode: code,
      showHelp: true,
      notificationsEnabled: true,
      loginCount: 1,
    })
    const { firstLoginAt, lastLoginAt, lastActivityAt } = preference
    for (const moment of [firstLoginAt, lastLoginAt, lastActivityAt]) {
      assert.match(moment, TIMESTAMP)
      assert.isAtLeast(Date.parse(moment), before)
      assert.isAtMost(Date.parse(moment), Date.now())
    }
    assert.equal(firstLoginAt, lastLoginAt)
  })

  test('the next login keeps the first time and updates the rest', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}`
    const { data: first } = (await person.get(path)).body()
    const { data: second } = (await person.get(path)).body()

    assert.equal(second.loginCount, 2)
    assert.equal(second.firstLoginAt, first.firstLoginAt)
    assert.isAtLeast(Date.parse(second.lastLoginAt), Date.parse(first.lastLoginAt))
    assert.equal(second.lastActivityAt, second.lastLoginAt)
  })

  test('the first login after a preference update sets the first time', async ({
    assert,
    client,
  }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}`
    await person.put(path, { showHelp: false, notificationsEnabled: false })
    const { data } = (await person.get(path)).body()
    assert.containSubset(data, { showHelp: false, notificationsEnabled: false, loginCount: 1 })
    assert.match(data.firstLoginAt, TIMESTAMP)
  })

  test('50 concurrent first logins count 50', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}`
    const responses = await Promise.all(Array.from({ length: 50 }, () => person.get(path)))
    responses.forEach((response) => response.assertStatus(200))

    const [preference] = (await person.get('/api/profile/me/apps')).body().data
    assert.equal(preference.loginCount, 50)
    assert.isAtMost(Date.parse(preference.firstLoginAt), Date.parse(preference.lastLoginAt))
    assert.lengthOf(await recordsOf(person.email), 50)
    // Each response has a different count.
    assert.lengthOf(new Set(responses.map((response) => response.body().data.loginCount)), 50)
  })

  test('concurrent reports from frontend and server are all counted', async ({
    assert,
    client,
  }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await anApplication()
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        index % 2
          ? person.get(`/api/profile/me/apps/${code}`)
          : applicationEvent(client, { email: person.email, appCode: code, event: 'login' })
      )
    )
    const [preference] = (await person.get('/api/profile/me/apps')).body().data
    assert.equal(preference.loginCount, 30)
  })

  test('each login is recorded with user, application, source and time', async ({
    assert,
    client,
  }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await anApplication()
    const { data } = (await person.get(`/api/profile/me/apps/${code}`)).body()
    const [record, ...others] = await recordsOf(person.email)
    assert.isEmpty(others)
    assert.containSubset(record.$attributes, { appCode: code, event: 'login', source: 'frontend' })
    assert.equal(record.occurredAt.toMillis(), Date.parse(data.lastLoginAt))
  })

  test('logins count per application and user', async ({ assert, client }) => {
    const [person, other] = [signedIn(client, uniqueEmail()), signedIn(client, uniqueEmail())]
    const [here, there] = [await anApplication(), await anApplication()]
    await person.get(`/api/profile/me/apps/${here.code}`)
    await person.get(`/api/profile/me/apps/${here.code}`)
    await other.get(`/api/profile/me/apps/${here.code}`)
    const { data } = (await person.get(`/api/profile/me/apps/${there.code}`)).body()
    assert.equal(data.loginCount, 1)
  })

  test('without a valid token nothing is recorded', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { code } = await anApplication()
    const expired = signedIn(client, email, { claims: { exp: 1_000_000_000 } })
    const response = await expired.get(`/api/profile/me/apps/${code}`)
    response.assertProblem(401, 'UNAUTHENTICATED')
    assert.isEmpty(await recordsOf(email))
  })
})

test.group('Logouts', () => {
  test('a logout is recorded and changes no statistics', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await anApplication()
    const path = `/api/profile/me/apps/${code}`
    const { data: before } = (await person.get(path)).body()

    const response = await person.post(`${path}/logout`)
    response.assertStatus(200)
    assert.deepEqual(response.body(), { success: true, data: { recorded: true } })
    assert.deepEqual((await person.get('/api/profile/me/apps')).body().data, [before])
    const records = await recordsOf(person.email)
    assert.deepEqual(
      records.map(({ appCode, event, source }) => ({ appCode, event, source })),
      [
        { appCode: code, event: 'login', source: 'frontend' },
        { appCode: code, event: 'logout', source: 'frontend' },
      ]
    )
  })

  test('a logout without a previous login is recorded', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await anApplication()
    const response = await person.post(`/api/profile/me/apps/${code}/logout`)
    response.assertStatus(200)
    assert.isEmpty((await person.get('/api/profile/me/apps')).body().data)
    assert.lengthOf(await recordsOf(person.email), 1)
  })
})
