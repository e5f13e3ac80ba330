import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import AuditEntry from '#app/audit/models/audit_entry'
import PushSubscription from '#app/notifications/models/push_subscription'
import { subscribe } from '#tests/helpers/deliveries'
import { superAdmin, uniqueEmail } from '#tests/helpers/people'
import { inPath } from '#tests/helpers/management'
import { Browser } from '#tests/world/push_service'

const pathOf = (email: string) => `/api/users/${inPath(email)}/push-subscriptions`
const aDevice = (email: string) => subscribe(email, new Browser('https://push.example'))

test.group('Push devices of a user', () => {
  test('are listed without their endpoints, the newest first', async ({ assert, client }) => {
    const email = uniqueEmail()
    const lastUsedAt = DateTime.utc().startOf('second')
    const first = await aDevice(email)
    const second = await aDevice(email)
    await second.merge({ deviceLabel: 'Firefox on Linux', lastUsedAt }).save()
    await aDevice(uniqueEmail())
    const response = await superAdmin(client).get(pathOf(email))
    response.assertStatus(200)
    const about = (device: PushSubscription) => ({
      id: device.id,
      service: 'push.example',
      createdAt: isoTimestamp(device.createdAt),
    })
    assert.deepEqual(response.body().data, [
      { ...about(second), deviceLabel: 'Firefox on Linux', lastUsedAt: isoTimestamp(lastUsedAt) },
      { ...about(first), deviceLabel: null, lastUsedAt: null },
    ])
  })

  test('are removed, which the audit trail shows', async ({ assert, client }) => {
    const email = uniqueEmail()
    const [kept, removed] = [await aDevice(email), await aDevice(email)]
    const admin = superAdmin(client)
    ;(await admin.delete(`${pathOf(email)}/${removed.id}`)).assertStatus(204)
    const left = await PushSubscription.findManyBy('userId', kept.userId)
    assert.deepEqual(
      left.map(({ id }) => id),
      [kept.id]
    )
    const entries = await AuditEntry.query().where({ email, action: 'user.push_device_removed' })
    assert.lengthOf(entries, 1)
    assert.include(entries[0].stateBefore!, 'push.example')
    assert.notInclude(entries[0].stateBefore!, removed.endpoint)
    const again = await admin.delete(`${pathOf(email)}/${removed.id}`)
    again.assertProblem(404, 'SUBSCRIPTION_NOT_FOUND')
  })

  test('of someone else, or of nobody, are not found', async ({ assert, client }) => {
    const [mine, theirs] = [await aDevice(uniqueEmail()), uniqueEmail()]
    await aDevice(theirs)
    const admin = superAdmin(client)
    const foreign = await admin.delete(`${pathOf(theirs)}/${mine.id}`)
    foreign.assertProblem(404, 'SUBSCRIPTION_NOT_FOUND')
    assert.isNotNull(await PushSubscription.find(mine.id))
    const unknown = await admin.get(pathOf(uniqueEmail()))
    unknown.assertProblem(404, 'USER_NOT_FOUND')
  })
})
