import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import LoginRecord from '#app/profiles/models/login_record'
import User from '#app/profiles/models/user'
import { TIMESTAMP } from '#tests/helpers/management'
import { anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import { applicationEvent } from '#tests/helpers/profiles'

/** Moves a user's last activity into the past. */
async function lastActiveAgo(email: string, ago: { minutes?: number; seconds?: number }) {
  const { id } = await User.withEmail(email)
  const moment = DateTime.utc().minus(ago)
  await db
    .from('application_preferences')
    .where('user_id', id)
    .update({ last_activity_at: toDatabaseTimestamp(moment) })
  return moment.toISO()
}

test.group('Activity', () => {
  test('the first activity creates the preference and counts no login', async ({
    assert,
    client,
  }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await anApplication()
    const before = Date.now()
    const response = await person.post(`/api/profile/me/apps/${code}/activity`)

    response.assertStatus(200)
    assert.isTrue(response.body().success)
    const { recorded, lastActivityAt, ...rest } = response.body().data
    assert.deepEqual(rest, {})
    assert.isTrue(recorded)
    assert.match(lastActivityAt, TIMESTAMP)
    assert.isAtLeast(Date.parse(lastActivityAt), before)
    assert.deepEqual((await person.get('/api/profile/me/apps')).body().data, [
      {
        applicationCode: code,
        showHelp: true,
        notificationsEnabled: true,
        firstLoginAt: null,
        lastLoginAt: null,
        loginCount: 0,
        lastActivityAt,
      },
    ])
  })

  test('activity within five minutes is not recorded again', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}/activity`
    await person.post(path)
    for (const ago of [{ seconds: 1 }, { minutes: 2 }, { minutes: 4, seconds: 50 }]) {
      const lastActivityAt = await lastActiveAgo(person.email, ago)
      const response = await person.post(path)
      assert.deepEqual(response.body(), {
        success: true,
        data: { recorded: false, lastActivityAt },
      })
    }
  })

  test('activity after five minutes is recorded', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}/activity`
    await person.post(path)
    for (const ago of [{ minutes: 5 }, { minutes: 60 * 24 * 400 }]) {
      await lastActiveAgo(person.email, ago)
      const now = Date.now()
      const { recorded, lastActivityAt } = (await person.post(path)).body().data
      assert.isTrue(recorded)
      assert.isAtLeast(Date.parse(lastActivityAt), now)
    }
  })

  test('changes only the last activity', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}`
    const { data: login } = (await person.get(path)).body()
    await lastActiveAgo(person.email, { minutes: 10 })
    const { lastActivityAt } = (await person.post(`${path}/activity`)).body().data
    assert.deepEqual((await person.get('/api/profile/me/apps')).body().data, [
      { ...login, lastActivityAt },
    ])
    const records = await LoginRecord.query().where({ email: person.email })
    assert.deepEqual(
      records.map(({ event }) => event),
      ['login']
    )
  })

  test('activity right after a login is not recorded', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}`
    const { data: login } = (await person.get(path)).body()
    assert.deepEqual((await person.post(`${path}/activity`)).body().data, {
      recorded: false,
      lastActivityAt: login.lastActivityAt,
    })
  })

  test('one of 20 concurrent reports is recorded', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${(await anApplication()).code}/activity`
    for (const prepare of [
      () => person.get('/api/profile/me'),
      () => lastActiveAgo(person.email, { minutes: 6 }),
    ]) {
      await prepare()
      const responses = await Promise.all(Array.from({ length: 20 }, () => person.post(path)))
      const reports = responses.map((response) => response.body().data)
      assert.lengthOf(
        reports.filter(({ recorded }) => recorded),
        1
      )
      assert.lengthOf(new Set(reports.map(({ lastActivityAt }) => lastActivityAt)), 1)
    }
  })

  test('is recorded per application and user', async ({ assert, client }) => {
    const [person, other] = [signedIn(client, uniqueEmail()), signedIn(client, uniqueEmail())]
    const [here, there] = [await anApplication(), await anApplication()]
    for (const [who, { code }] of [
      [person, here],
      [person, there],
      [other, here],
    ] as const) {
      const response = await who.post(`/api/profile/me/apps/${code}/activity`)
      assert.isTrue(response.body().data.recorded)
    }
  })

  test('shares the interval with reports from servers', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await anApplication()
    await person.post(`/api/profile/me/apps/${code}/activity`)
    const event = { email: person.email, appCode: code, event: 'activity' }
    assert.isFalse((await applicationEvent(client, event)).body().data.recorded)
    await lastActiveAgo(person.email, { minutes: 6 })
    assert.isTrue((await applicationEvent(client, event)).body().data.recorded)
    const again = await person.post(`/api/profile/me/apps/${code}/activity`)
    assert.isFalse(again.body().data.recorded)
  })
})
