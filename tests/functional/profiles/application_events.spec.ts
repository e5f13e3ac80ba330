import { test } from '@japa/runner'
import LoginRecord from '#app/profiles/models/login_record'
import User from '#app/profiles/models/user'
import { anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import { applicationEvent } from '#tests/helpers/profiles'
import type { ApiClient } from '@japa/api-client'
import { INTERNAL_KEY, NEXT_INTERNAL_KEY } from '#tests/world/prepare'

const preferencesOf = async (client: ApiClient, email: string) =>
  (await signedIn(client, email).get('/api/profile/me/apps')).body().data

test.group('Application events from servers', () => {
  test('a login updates all statistics', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { code } = await anApplication()
    const event = { email, appCode: code, event: 'login' }
    const response = await applicationEvent(client, event)
    response.assertStatus(200)
    assert.deepEqual(response.body(), { success: true, data: { recorded: true } })

    const [first] = await preferencesOf(client, email)
    assert.containSubset(first, { applicationCode: code, loginCount: 1 })
    assert.equal(first.firstLoginAt, first.lastLoginAt)
    assert.equal(first.lastActivityAt, first.lastLoginAt)

    await applicationEvent(client, event)
    const [second] = await preferencesOf(client, email)
    assert.equal(second.loginCount, 2)
    assert.equal(second.firstLoginAt, first.firstLoginAt)
    assert.isAtLeast(Date.parse(second.lastLoginAt), Date.parse(first.lastLoginAt))
  })

  test('an activity reports whether it was recorded', async ({ assert, client }) => {
    const event = { email: uniqueEmail(), appCode: (await anApplication()).code, event: 'activity' }
    assert.isTrue((await applicationEvent(client, event)).body().data.recorded)
    assert.isFalse((await applicationEvent(client, event)).body().data.recorded)
    const [preference] = await preferencesOf(client, event.email)
    assert.containSubset(preference, { loginCount: 0, firstLoginAt: null, lastLoginAt: null })
    assert.isEmpty(await LoginRecord.query().where({ email: event.email }))
  })

  test('a logout is recorded and changes no statistic', async ({ assert, client }) => {
    const event = { email: uniqueEmail(), appCode: (await anApplication()).code }
    await applicationEvent(client, { ...event, event: 'login' })
    const before = await preferencesOf(client, event.email)
    const response = await applicationEvent(client, { ...event, event: 'logout' })
    assert.deepEqual(response.body(), { success: true, data: { recorded: true } })
    assert.deepEqual(await preferencesOf(client, event.email), before)
    const records = await LoginRecord.query().where({ email: event.email }).orderBy('id')
    assert.deepEqual(
      records.map(({ event: kind, source }) => [kind, source]),
      [
        ['login', 'server'],
        ['logout', 'server'],
      ]
    )
  })

  test('addresses are canonicalized', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { code } = await anApplication()
    for (const writing of [email, email.toUpperCase(), ` ${email}\t`]) {
      await applicationEvent(client, { email: writing, appCode: code, event: 'login' })
    }
    const [preference] = await preferencesOf(client, email)
    assert.equal(preference.loginCount, 3)
  })

  test('an unknown application returns 404 and nothing is stored', async ({ assert, client }) => {
    const email = uniqueEmail()
    for (const event of ['login', 'activity', 'logout']) {
      const response = await applicationEvent(client, { email, appCode: 'no-such-app', event })
      response.assertProblem(404, 'APPLICATION_NOT_FOUND')
    }
    assert.isNull(await User.findBy({ email }))
    assert.isEmpty(await LoginRecord.query().where({ email }))
  })

  test('unknown events and missing fields are refused', async ({ client }) => {
    const body = { email: uniqueEmail(), appCode: (await anApplication()).code, event: 'login' }
    for (const event of ['Login', 'signup', '', 'toString']) {
      const response = await applicationEvent(client, { ...body, event })
      response.assertProblem(400, 'VALIDATION_ERROR', {
        errors: [{ field: 'event', rule: 'enum' }],
      })
    }
    for (const email of ['', 'nobody', 'a\u200bb@acme.example', 'ada@acme.example/x']) {
      const response = await applicationEvent(client, { ...body, email })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'email' }] })
    }
  })

  test('only valid internal keys give access', async ({ client }) => {
    const body = { email: uniqueEmail(), appCode: (await anApplication()).code, event: 'login' }
    const path = '/api/internal/auth/application-events'
    for (const key of [INTERNAL_KEY, NEXT_INTERNAL_KEY]) {
      const response = await client.post(path).header('x-internal-api-key', key).json(body)
      response.assertStatus(200)
    }
    for (const key of ['', 'wrong', `${INTERNAL_KEY},${NEXT_INTERNAL_KEY}`, `${INTERNAL_KEY} x`]) {
      const response = await client.post(path).header('x-internal-api-key', key).json(body)
      response.assertProblem(401, 'UNAUTHENTICATED')
    }
    const withToken = await signedIn(client, uniqueEmail()).post(path, body)
    withToken.assertProblem(401, 'UNAUTHENTICATED')
  })
})
