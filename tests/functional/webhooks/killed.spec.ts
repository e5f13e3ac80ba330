import { once } from 'node:events'
import { test } from '@japa/runner'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { eventually } from '#tests/helpers/eventually'
import { sameDatabase } from '#tests/helpers/same_database'
import {
  aReceiver,
  aWebhook,
  attemptDue,
  deliveriesTo,
  eventsAt,
  forgetOtherWebhooks,
  makeDue,
  relayChanges,
  respondWith,
} from '#tests/helpers/webhooks'
import { INTERNAL_KEY, SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { startService } from '#tests/world/service'

const EVENTS = 5

test.group('A process that is killed', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('loses no event, and others send them under the same ids', async ({ assert, cleanup }) => {
    const application = await anApplication()
    // Whatever it sends hangs until it is killed.
    const receiver = await aReceiver(cleanup, () => {})
    const { id, secret } = await aWebhook(cleanup, application, receiver.url)
    const service = await startService(sameDatabase())
    cleanup(async () => void (await service.stop()))
    const sent: number[] = []
    for (let count = 0; count < EVENTS; count++) {
      const response = await fetch(`${service.url}/api/internal/notifications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-internal-api-key': INTERNAL_KEY },
        body: JSON.stringify({
          recipientEmail: uniqueEmail(),
          appCode: application.code,
          type: 'unknown',
          data: {},
        }),
      })
      const { data } = (await response.json()) as { data: { id: number } }
      sent.push(data.id)
    }
    await eventually('it sends events', () => receiver.requests.length > 0)
    const email = uniqueEmail()
    const granted = await fetch(`${service.url}/api/users/admins/apps/${application.code}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'authorization': `Bearer ${await issuer.token(SUPER_ADMIN)}`,
      },
      body: JSON.stringify({ email }),
    })
    assert.equal(granted.status, 201)
    service.process.kill('SIGKILL')
    await once(service.process, 'exit')

    const cutOff = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))
    receiver.handler = respondWith(204)
    receiver.requests.length = 0
    await relayChanges()
    await makeDue(id)
    await attemptDue(id)
    const events = eventsAt(receiver, secret)
    const skipped = events.filter(({ type }) => type === 'notification.skipped')
    assert.sameMembers(
      skipped.map(({ data }) => data.notificationId),
      sent
    )
    const changed = events.filter(({ type }) => type === 'access.changed')
    assert.deepEqual(
      changed.map(({ data }) => data.email),
      [email]
    )
    const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))
    assert.isTrue(cutOff.isSubsetOf(ids))
    assert.equal(ids.size, receiver.requests.length)
    assert.isTrue((await deliveriesTo(id)).every(({ status }) => status === 'delivered'))
  }).timeout(120_000)
})
