import { test } from '@japa/runner'
import Delivery from '#app/delivery/models/delivery'
import PushSubscription from '#app/notifications/models/push_subscription'
import {
  aBroadcast,
  waitForBroadcastStatus,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { notificationsOf, subscribe, withOwnServer } from '#tests/helpers/deliveries'
import { anApplication } from '#tests/helpers/people'
import { smtp } from '#tests/world/prepare'
import { PushService } from '#tests/world/push_service'
import { TestSmtpServer } from '#tests/world/smtp_server'

const channelsOf = async (email: string) => {
  const [{ id }, ...others] = await notificationsOf(email)
  const deliveries = await Delivery.query().where('notificationId', id).orderBy('channel')
  return {
    records: others.length + 1,
    channels: deliveries.map(({ channel, status }) => `${channel} ${status}`),
  }
}

test.group('A broadcast to users with browsers', (group) => {
  let push: PushService

  group.setup(async () => {
    push = await new PushService().start()
    return () => push.stop()
  })

  test('reaches each browser once in addition to the mail and counts the user once', async ({
    assert,
    cleanup,
  }) => {
    const [two, none, gone, broken] = uniqueEmails(4)
    const browsers = [push.newBrowser(), push.newBrowser()]
    for (const browser of browsers) await subscribe(two, browser)
    const left = push.newBrowser()
    left.response = 410
    const { id: leftId } = await subscribe(gone, left)
    const failing = push.newBrowser()
    failing.response = 500
    const { id: failingId } = await subscribe(broken, failing)
    const audience = { kind: 'emails' as const, emails: [two, none, gone, broken] }
    const { id } = await aBroadcast(await anApplication(), { audience })
    startBroadcastWorker(cleanup)
    const { sent, failed, skipped } = await waitForBroadcastStatus(id, 'completed')

    assert.deepEqual([sent, failed, skipped], [4, 0, 0])
    for (const { messages } of browsers) {
      assert.lengthOf(messages, 1)
      assert.equal(messages[0].payload.title, 'News')
    }
    assert.equal(browsers[0].messages[0].headers.topic, browsers[1].messages[0].headers.topic)
    for (const email of audience.emails) assert.lengthOf(smtp.mailsTo(email), 1)
    const expected: Record<string, string[]> = {
      [two]: ['email sent', 'push sent'],
      [none]: ['email sent'],
      [gone]: ['email sent', 'push failed'],
      [broken]: ['email sent', 'push failed'],
    }
    for (const [email, channels] of Object.entries(expected)) {
      assert.deepEqual(await channelsOf(email), { records: 1, channels })
    }
    assert.isNull(await PushSubscription.find(leftId), 'who has left is forgotten')
    assert.isNotNull(await PushSubscription.find(failingId))
  })

  test('does not push again when only the mail is retried', async ({ assert, cleanup }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    const [email] = uniqueEmails(1)
    await withOwnServer(email, server)
    const browser = push.newBrowser()
    await subscribe(email, browser)
    let refusals = 0
    // The number of attempts made by one delivery.
    server.react = (stage) => (stage === 'RCPT' && ++refusals <= 3 ? 451 : undefined)
    const { id } = await aBroadcast(await anApplication(), {
      audience: { kind: 'emails', emails: [email] },
    })
    startBroadcastWorker(cleanup)
    const { sent } = await waitForBroadcastStatus(id, 'completed', 30_000)

    assert.equal(sent, 1)
    assert.isAtLeast(refusals, 3)
    assert.lengthOf(server.mails, 1)
    assert.lengthOf(browser.messages, 1)
    const channels = ['email sent', 'push sent']
    assert.deepEqual(await channelsOf(email), { records: 1, channels })
  }).timeout(40_000)
})
