import { test } from '@japa/runner'
import SuperAdmin from '#app/permissions/models/super_admin'
import User from '#app/profiles/models/user'
import PushSubscription from '#app/notifications/models/push_subscription'
import { serviceUrl } from '#tests/helpers/clients'
import { aBroadcast, pathOf } from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { lifecycleEvent } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import { OPEN_TO_INACTIVE, TOKEN_ROUTES, askWithToken } from '#tests/helpers/token_routes'
import { issuer } from '#tests/world/prepare'

const CLOSED = TOKEN_ROUTES.filter((route) => !OPEN_TO_INACTIVE.includes(route))

test.group('Somebody deactivated', () => {
  test('is refused on {$self}, super admin or not')
    .with(CLOSED)
    .run(async ({ client }, route) => {
      const email = uniqueEmail()
      await SuperAdmin.create({ email })
      await signedIn(client, email).get('/api/profile/me')
      await lifecycleEvent(client, 'user.deactivated', email)
      const response = await askWithToken(client, route, await issuer.token(email))
      response.assertProblem(403, 'USER_INACTIVE')
      await SuperAdmin.query().where({ email }).delete()
    })

  test('is refused from the next request on, and let in from the next one on after that', async ({
    client,
  }) => {
    const person = signedIn(client, uniqueEmail())
    const inbox = () => person.get('/api/profile/me/notifications/inbox')
    for (let round = 0; round < 3; round++) {
      const before = await inbox()
      before.assertStatus(200)
      await lifecycleEvent(client, 'user.deactivated', person.email)
      const during = await inbox()
      during.assertProblem(403, 'USER_INACTIVE')
      await lifecycleEvent(client, 'user.reactivated', person.email)
    }
  })

  test('reads their profile and is denied every check', async ({ assert, client }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const person = signedIn(client, email)
    const question = { app: application.code, permission: 'anything' }
    const before = await person.post('/api/profile/me/check', question)
    assert.deepEqual(before.body(), { allowed: true })
    await lifecycleEvent(client, 'user.deactivated', email)
    const profile = await person.get('/api/profile/me')
    profile.assertStatus(200)
    const after = await person.post('/api/profile/me/check', question)
    assert.deepEqual(after.body(), { allowed: false })
    const permissions = ['anything', 'else']
    const bulk = await person.post('/api/profile/me/check/bulk', {
      app: application.code,
      permissions,
    })
    assert.deepEqual(bulk.body(), { anything: false, else: false })
  })

  test('subscribes no browser and changes nothing', async ({ assert, client }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    await person.get('/api/profile/me')
    await lifecycleEvent(client, 'user.deactivated', email)
    const { id, ...before } = (await User.withEmail(email)).$attributes
    for (const route of CLOSED.filter((one) => one.includes('/profile/me'))) {
      await askWithToken(client, route, await issuer.token(email, { claims: { name: 'New' } }))
    }
    const after = await User.withEmail(email)
    assert.containSubset(after.$attributes, before)
    assert.lengthOf(await PushSubscription.query().where({ userId: after.id }), 0)
  })

  test('sees their open streams end', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const headers = { authorization: `Bearer ${await issuer.token(email)}` }
    const closing = new AbortController()
    cleanup(() => closing.abort())
    const url = `${serviceUrl()}${pathOf(application, `${id}/stream`)}`
    const response = await fetch(url, { headers, signal: closing.signal })
    assert.equal(response.status, 200)
    let isOver = false
    const reading = response.text().finally(() => (isOver = true))
    reading.catch(() => {})
    await lifecycleEvent(client, 'user.deactivated', email)
    await eventually('the stream has ended', () => isOver, 20_000)
  })
})
