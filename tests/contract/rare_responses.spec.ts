import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import Broadcast from '#app/broadcasts/models/broadcast'
import PushSubscription from '#app/notifications/models/push_subscription'
import Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'
import { aBroadcast, pathOf } from '#tests/helpers/broadcasts'
import { subscribe } from '#tests/helpers/deliveries'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { Browser } from '#tests/world/push_service'

test.group('Responses for rare events', () => {
  test('a broadcast shows its recipients, language and failure', async ({ assert, client }) => {
    const application = await anApplication()
    const role = await Role.create({ applicationId: application.id, code: 'editor' })
    await UserRole.create({ email: uniqueEmail(), roleId: role.id })
    const audience = { kind: 'role' as const, roleCode: 'editor' }
    const { id } = await aBroadcast(application, { audience, locale: 'cs' })
    const broadcast = await Broadcast.findOrFail(id)
    await broadcast.fail('SMTP_ERROR: no such host')

    const { data } = (await superAdmin(client).get(pathOf(application, id))).body()
    const statusReason = 'SMTP_ERROR: no such host'
    assert.containSubset(data, { status: 'failed', statusReason, locale: 'cs', audience })
    const cancelled = await superAdmin(client).post(pathOf(application, `${id}/cancel`))
    cancelled.assertProblem(409, 'BROADCAST_ENDED')
  })

  test('a push subscription shows when it was last used', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { id } = await subscribe(email, new Browser('https://push.example'))
    const lastUsedAt = '2026-03-01T10:00:00.000Z'
    const used = await PushSubscription.findOrFail(id)
    await used.merge({ lastUsedAt: DateTime.fromISO(lastUsedAt) }).save()

    const listed = await signedIn(client, email).get('/api/profile/me/push/subscriptions')
    assert.containSubset(listed.body().response, [{ id, lastUsedAt }])
  })
})
