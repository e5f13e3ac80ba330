import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import LoginRecord from '#app/profiles/models/login_record'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { TIMESTAMP, inPath } from '#tests/helpers/management'
import {
  anAdministratorOf,
  anApplication,
  anOldApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { allPages, nextPage } from '#tests/helpers/pages'
import { applicationEvent } from '#tests/helpers/profiles'

interface LoginRecordBody {
  id: number
  email: string
  appCode: string
  event: string
  source: string
  occurredAt: string
}

const ofUser = (email: string) => `/api/users/${inPath(email)}/login-records`
const ofApplication = (code: string) => `/api/applications/${code}/login-records`

/** A user with logins a minute apart. */
async function aPersonWithLogins(count: number, appCode: string) {
  const { email } = await ensureUser({ email: uniqueEmail() })
  const start = DateTime.utc().minus({ days: 1 })
  await LoginRecord.createMany(
    Array.from({ length: count }, (_, minutes) => ({
      email,
      appCode,
      event: 'login' as const,
      source: 'server' as const,
      occurredAt: start.plus({ minutes }),
    }))
  )
  return email
}

test.group('Login records', () => {
  test('of a user are listed with the latest first', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await anApplication()
    await person.get(`/api/profile/me/apps/${code}`)
    await person.post(`/api/profile/me/apps/${code}/logout`)
    await applicationEvent(client, { email: person.email, appCode: code, event: 'login' })
    await person.post(`/api/profile/me/apps/${code}/activity`)

    const response = await superAdmin(client).get(ofUser(person.email))
    response.assertStatus(200)
    assert.isTrue(response.body().success)
    const records: LoginRecordBody[] = response.body().data
    assert.deepEqual(
      records.map(({ email, appCode, event, source }) => [email, appCode, event, source]),
      [
        [person.email, code, 'login', 'server'],
        [person.email, code, 'logout', 'frontend'],
        [person.email, code, 'login', 'frontend'],
      ]
    )
    for (const record of records) {
      assert.includeMembers(Object.keys(record), [
        'email',
        'appCode',
        'event',
        'source',
        'occurredAt',
      ])
      assert.match(record.occurredAt, TIMESTAMP)
    }
  })

  test('of an application exclude other applications', async ({ assert, client }) => {
    const [here, there] = [await anApplication(), await anApplication()]
    const people = [uniqueEmail(), uniqueEmail()]
    for (const email of people) {
      await applicationEvent(client, { email, appCode: here.code, event: 'login' })
      await applicationEvent(client, { email, appCode: there.code, event: 'logout' })
    }
    const response = await superAdmin(client).get(ofApplication(here.code))
    assert.deepEqual(
      response.body().data.map(({ email, event }: LoginRecordBody) => [email, event]),
      people.reverse().map((email) => [email, 'login'])
    )
  })

  test('are paged through the Link header without gaps or duplicates', async ({
    assert,
    client,
  }) => {
    const { code } = await anOldApplication()
    const email = await aPersonWithLogins(7, code)
    const { get } = superAdmin(client)
    for (const path of [ofUser(email), ofApplication(code)]) {
      const { items: whole } = await allPages<LoginRecordBody>(get, path)
      assert.lengthOf(whole, 7)
      for (const [limit, expected] of [
        [1, [1, 1, 1, 1, 1, 1, 1]],
        [3, [3, 3, 1]],
        [6, [6, 1]],
        [7, [7]],
        [200, [7]],
      ] as const) {
        const { items, sizes } = await allPages(get, `${path}?limit=${limit}`)
        assert.deepEqual(sizes, [...expected])
        assert.deepEqual(items, whole)
      }
    }
  })

  test('have 50 per page by default and at most 200', async ({ assert, client }) => {
    const { code } = await anApplication()
    const path = ofUser(await aPersonWithLogins(205, code))
    const { get } = superAdmin(client)
    assert.deepEqual((await allPages(get, path)).sizes, [50, 50, 50, 50, 5])
    assert.deepEqual((await allPages(get, `${path}?limit=200`)).sizes, [200, 5])
  })

  test('keep their pages stable while new ones arrive', async ({ assert, client }) => {
    const { code } = await anApplication()
    const email = await aPersonWithLogins(4, code)
    const { get } = superAdmin(client)
    const { items } = await allPages<LoginRecordBody>(get, ofUser(email))
    const first = await get(`${ofUser(email)}?limit=2`)
    await applicationEvent(client, { email, appCode: code, event: 'logout' })
    const second = await get(nextPage(first)!)
    assert.deepEqual([...first.body().data, ...second.body().data], items)
  })

  test('refuse an invalid limit or cursor', async ({ client }) => {
    const { code } = await anApplication()
    const { get } = superAdmin(client)
    for (const path of [ofUser(await aPersonWithLogins(1, code)), ofApplication(code)]) {
      for (const query of ['limit=0', 'limit=201', 'limit=-1', 'limit=1.5', 'limit=x', 'limit=']) {
        const response = await get(`${path}?${query}`)
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'limit' }] })
      }
      for (const cursor of ['x', 'aWQ6eA', 'aWQ6OTAwNzE5OTI1NDc0MDk5MQ', '%27%20or%201=1']) {
        const response = await get(`${path}?cursor=${cursor}`)
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'cursor' }] })
      }
    }
  })

  test('of an unknown user or application return 404', async ({ client }) => {
    const unknownPerson = await superAdmin(client).get(ofUser(uniqueEmail()))
    unknownPerson.assertProblem(404, 'USER_NOT_FOUND')
    const unknownApplication = await superAdmin(client).get(ofApplication('no-such-application'))
    unknownApplication.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })

  test('require an administrator: of any application for users, of the application for its own', async ({
    client,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const email = await aPersonWithLogins(1, mine.code)
    const administrator = signedIn(client, await anAdministratorOf(mine))

    for (const path of [ofUser(email), ofApplication(mine.code)]) {
      const response = await administrator.get(path)
      response.assertStatus(200)
    }
    const hidden = await administrator.get(ofApplication(other.code))
    hidden.assertProblem(403, 'FORBIDDEN')
    for (const path of [ofUser(email), ofApplication(mine.code)]) {
      const response = await signedIn(client, email).get(path)
      response.assertProblem(403, 'FORBIDDEN')
      const anonymous = await client.get(path)
      anonymous.assertProblem(401, 'UNAUTHENTICATED')
    }
  })

  test('outlive their application', async ({ assert, client }) => {
    const application = await anApplication()
    const email = await aPersonWithLogins(2, application.code)
    await application.delete()
    const response = await superAdmin(client).get(ofUser(email))
    assert.lengthOf(response.body().data, 2)
  })
})
