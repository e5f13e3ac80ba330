import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import PushSubscription from '#app/notifications/models/push_subscription'
import { anOpenStream } from '#tests/helpers/broadcasts'
import { lifecycleEvent } from '#tests/helpers/management'
import {
  aSuperAdmin,
  anAdministratorOf,
  anApplication,
  signedIn,
  uniqueEmail,
} from '#tests/helpers/people'
import { OPEN_TO_INACTIVE, TOKEN_ROUTES, askWithToken } from '#tests/access/token_routes'
import { issuer } from '#tests/world/prepare'

const CLOSED = TOKEN_ROUTES.filter((route) => !OPEN_TO_INACTIVE.includes(route))

test.group('Deactivated users', () => {
  test('are refused on {$self}, even super admins')
    .with(CLOSED)
    .run(async ({ client, cleanup }, route) => {
      const email = await aSuperAdmin(cleanup)
      await signedIn(client, email).get('/api/profile/me')
      await lifecycleEvent(client, 'user.deactivated', email)
      const response = await askWithToken(client, route, await issuer.token(email))
      response.assertProblem(403, 'USER_INACTIVE')
    })

  test('are refused from the next request on, and accepted again after reactivation', async ({
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

  test('can read their profile and are denied every check', async ({ assert, client }) => {
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

  test('cannot subscribe a browser or change anything', async ({ assert, client }) => {
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

  test('have their open streams closed', async ({ client, cleanup }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const stream = await anOpenStream(application, email, cleanup)
    await lifecycleEvent(client, 'user.deactivated', email)
    await stream.ended()
  })
})
