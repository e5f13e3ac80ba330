import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import LoginRecord from '#app/profiles/models/login_record'
import ApplicationPreference from '#app/profiles/models/application_preference'
import inboxConfig from '#config/inbox'
import { INBOX, aNotification, inboxOf } from '#tests/helpers/inbox'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { applicationEvent } from '#tests/helpers/profiles'

const MOST = 100

const recordsOf = (email: string, appCode: string) =>
  LoginRecord.query().where({ email, appCode }).orderBy('id')

test.group('Repeated requests of one user', () => {
  test('write at most a hundred login records a day, and count further logins', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${application.code}`
    for (let round = 0; round < 13; round++) {
      const responses = await Promise.all(Array.from({ length: 10 }, () => person.get(path)))
      for (const response of responses) response.assertStatus(200)
    }
    assert.lengthOf(await recordsOf(person.email, application.code), MOST)
    const { loginCount } = (await person.get('/api/profile/me/apps')).body().data[0]
    assert.equal(loginCount, 130)
  }).timeout(60_000)

  test('write at most a hundred logout records a day, even concurrently', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${application.code}/logout`
    const recorded: boolean[] = []
    for (let round = 0; round < 6; round++) {
      const responses = await Promise.all(Array.from({ length: 20 }, () => person.post(path)))
      recorded.push(...responses.map((response) => response.body().data.recorded as boolean))
    }
    assert.lengthOf(await recordsOf(person.email, application.code), MOST)
    assert.lengthOf(
      recorded.filter((one) => one),
      MOST
    )
    const { email } = person
    const event = { email, appCode: application.code, event: 'logout' }
    const told = await applicationEvent(client, event)
    assert.isFalse(told.body().data.recorded)
  }).timeout(60_000)

  test('change a limited number of inbox items an hour', async ({ assert, client, cleanup }) => {
    const { changesPerHour } = inboxConfig
    cleanup(() => void Object.assign(inboxConfig, { changesPerHour }))
    inboxConfig.changesPerHour = 4
    const person = signedIn(client, uniqueEmail())
    const other = signedIn(client, uniqueEmail())
    const { id } = await aNotification(person.email)
    const change = (what: string, body?: object) => person.patch(`${INBOX}/${id}/${what}`, body)
    for (const what of ['read', 'read', 'unread', 'archive', 'unarchive']) {
      ;(await change(what)).assertStatus(204)
    }
    const until = DateTime.utc().plus({ hours: 1 }).toISO()
    for (const refused of [
      await change('snooze', { until }),
      await person.post(`${INBOX}/read-all`),
    ]) {
      refused.assertStatus(429)
      refused.assertBodyContains({ code: 'RATE_LIMITED' })
      assert.isAbove(Number(refused.header('retry-after')), 3_000)
    }
    const [item] = await inboxOf(person)
    assert.isNull(item.readAt, 'what was refused changed nothing')
    const theirs = await aNotification(other.email)
    ;(await other.patch(`${INBOX}/${theirs.id}/read`)).assertStatus(204)
  })

  test('do not affect the limit of other users, applications and days', async ({
    assert,
    client,
  }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const [looper, neighbour] = [uniqueEmail(), uniqueEmail()]
    const yesterday = DateTime.utc().startOf('day').minus({ milliseconds: 1 })
    const login = { email: looper, event: 'login', source: 'frontend' } as const
    const records = (occurredAt: DateTime) =>
      Array.from({ length: MOST }, () => ({ ...login, appCode: application.code, occurredAt }))
    await LoginRecord.createMany(records(yesterday))
    const enter = async (email: string, code: string) => {
      const response = await signedIn(client, email).get(`/api/profile/me/apps/${code}`)
      response.assertStatus(200)
      return (await recordsOf(email, code)).length
    }
    assert.equal(await enter(looper, application.code), MOST + 1)
    await LoginRecord.createMany(records(DateTime.utc()))
    assert.equal(await enter(looper, application.code), 2 * MOST + 1)
    assert.equal(await enter(looper, other.code), 1)
    assert.equal(await enter(neighbour, application.code), 1)

    const tomorrow = toDatabaseTimestamp(DateTime.utc().minus({ days: 1 }))
    await LoginRecord.query().where('email', looper).update({ occurred_at: tomorrow })
    assert.equal(await enter(looper, application.code), 2 * MOST + 2)
  })

  test('write a single row for everything else', async ({ assert, client }) => {
    const application = await anApplication()
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${application.code}`
    for (let round = 0; round < 5; round++) {
      await person.post(`${path}/activity`)
      await person.put(path, { showHelp: round % 2 === 0 })
    }
    const rows = await ApplicationPreference.query().where('applicationId', application.id)
    assert.lengthOf(rows, 1)
    const users = await superAdmin(client).get(`/api/users?appCode=${application.code}`)
    assert.lengthOf(users.body().data, 1)
  })
})
