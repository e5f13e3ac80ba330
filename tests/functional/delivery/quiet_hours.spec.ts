import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import type Delivery from '#app/delivery/models/delivery'
import PendingSend from '#app/delivery/models/pending_send'
import Notification from '#app/notifications/models/notification'
import { aBroadcast, startBroadcastWorker, waitForBroadcastStatus } from '#tests/helpers/broadcasts'
import { aType, sendNotification, subscribe } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { aNotification } from '#tests/helpers/inbox'
import { anotherService } from '#tests/helpers/internal'
import {
  type Cleanup,
  TEXT,
  findPendingSend,
  processDueSends,
  refusedPerson,
  sendDurably,
  takes,
} from '#tests/helpers/pending_sends'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { beQuiet, endQuietHours } from '#tests/helpers/quiet_hours'
import { inHours, reach } from '#tests/helpers/scheduled_sends'
import { smtp } from '#tests/world/prepare'
import { Browser, PushService } from '#tests/world/push_service'

const INBOX = '/api/profile/me/notifications/inbox'

async function someoneQuiet() {
  const email = uniqueEmail()
  await beQuiet(email)
  return email
}

test.group('A message in quiet hours', () => {
  test('is in the inbox at once, and mailed and pushed when they end', async ({
    assert,
    client,
    cleanup,
  }) => {
    const email = await someoneQuiet()
    const pushes = await new PushService().start()
    cleanup(() => pushes.stop())
    const browser = pushes.newBrowser()
    await subscribe(email, browser)
    const { code: appCode } = await anApplication()
    const message = { recipientEmail: email, appCode, type: 'generic', data: TEXT }
    const response = await sendNotification(client, message)
    const { id, scheduledFor, ...result } = response.body().data
    assert.deepEqual(result, { status: 'scheduled', statusReason: 'QUIET_HOURS' })
    assert.approximately(DateTime.fromISO(scheduledFor).diffNow().as('minutes'), 59.5, 1)
    const [item] = (await signedIn(client, email).get(INBOX)).body().response
    assert.equal(item.subject, TEXT.subject)
    const entry = await anotherService(client).get(`/api/internal/notifications/${id}`)
    const pending = { status: 'pending', attempts: [], nextAttemptAt: scheduledFor }
    const deliveries = [
      { channel: 'email', ...pending },
      { channel: 'push', ...pending },
    ]
    assert.containSubset(entry.body().data, { status: 'scheduled', scheduledFor, deliveries })
    await processDueSends()
    assert.isEmpty(smtp.mailsTo(email))

    await endQuietHours(email)
    const [notification] = await reach(id)
    assert.containSubset(notification.serialize(), { status: 'sent', statusReason: null })
    assert.lengthOf(smtp.mailsTo(email), 1)
    assert.lengthOf(browser.messages, 1)
    assert.lengthOf((await signedIn(client, email).get(INBOX)).body().response, 1)
  })

  test('waits again if they have been extended, but no longer than a week', async ({
    assert,
    client,
  }) => {
    const email = await someoneQuiet()
    const { id } = await sendDurably(client, email, { retryHours: 0 })
    const [waiting] = await reach(id)
    assert.equal(waiting.status, 'scheduled')
    const { dueAt, waitUntil } = (await findPendingSend(id))!
    assert.isAbove(dueAt.diffNow().as('minutes'), 50)
    assert.approximately(waitUntil!.diffNow().as('days'), 7, 0.01)
    assert.equal(waiting.scheduledFor?.toMillis(), dueAt.toMillis())
    const past = DateTime.utc().minus({ seconds: 1 })
    await PendingSend.query().where('notificationId', id).update({ wait_until: past.toISO() })
    const [sent] = await reach(id)
    assert.equal(sent.status, 'sent')
    assert.lengthOf(smtp.mailsTo(email), 1)
  })

  test('waits as planned if the user changes zone, and again if it is night there', async ({
    assert,
    client,
  }) => {
    const email = await someoneQuiet()
    const person = signedIn(client, email)
    const { id } = await sendDurably(client, email)
    const { dueAt: planned } = (await findPendingSend(id))!
    const moveTo = async (timeZone: string) => {
      const hours = (await person.get('/api/profile/me/quiet-hours')).body().response
      const moved = await person.put('/api/profile/me/quiet-hours', { ...hours, timeZone })
      moved.assertStatus(200)
    }
    // Two hours to the west, where the quiet hours begin in an hour and end in three.
    await moveTo('Etc/GMT+2')
    const waiting = (await findPendingSend(id))!
    assert.equal(waiting.dueAt.toMillis(), planned.toMillis())
    const next = await sendDurably(client, email)
    assert.equal(next.status, 'sent')

    // An hour to the west, where it is quiet now, for an hour longer than planned.
    await moveTo('Etc/GMT+1')
    const [again] = await reach(id)
    assert.equal(again.status, 'scheduled')
    const later = (await findPendingSend(id))!
    assert.approximately(later.dueAt.diff(planned).as('minutes'), 60, 1)
    assert.equal(again.scheduledFor?.toMillis(), later.dueAt.toMillis())

    await moveTo('Etc/GMT-12')
    const [sent] = await reach(id)
    assert.equal(sent.status, 'sent')
    assert.lengthOf(smtp.mailsTo(email), 2)
  })

  test('is delivered at once if its type is urgent', async ({ assert, client }) => {
    const email = await someoneQuiet()
    const application = await anApplication()
    const admin = superAdmin(client)
    const types = `/api/admin/notifications/types/${application.code}`
    const urgent = { code: 'alarm', name: 'Alarm', urgent: true }
    const created = await admin.post(types, urgent)
    assert.equal(created.body().data.urgent, true)
    const result = await sendDurably(client, email, { appCode: application.code, type: 'alarm' })
    assert.equal(result.status, 'sent')
    const changed = await admin.put(`${types}/alarm`, { urgent: false })
    assert.equal(changed.body().data.urgent, false)
    const later = await sendDurably(client, email, { appCode: application.code, type: 'alarm' })
    assert.equal(later.status, 'scheduled')
  })

  test('can be cancelled, and stays in the inbox', async ({ assert, client }) => {
    const email = await someoneQuiet()
    const { id } = await sendDurably(client, email)
    const response = await anotherService(client).delete(`/api/internal/notifications/${id}`)
    assert.containSubset(response.body().data, { status: 'skipped', statusReason: 'CANCELLED' })
    assert.isNull(await findPendingSend(id))
    assert.lengthOf((await signedIn(client, email).get(INBOX)).body().response, 1)
  })

  test('is skipped if it is switched off in the meantime', async ({ assert, client }) => {
    const email = await someoneQuiet()
    const application = await anApplication()
    const type = await aType(application)
    const { code: appCode } = application
    const { id } = await sendDurably(client, email, { appCode, type: type.code })
    await type.merge({ emailEnabled: false }).save()
    const [notification] = await reach(id)
    assert.containSubset(notification.serialize(), {
      status: 'skipped',
      statusReason: 'NO_CHANNEL',
    })
  })

  test('that was scheduled waits for their end too', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { id } = await sendDurably(client, email, { sendAt: inHours(1) })
    await beQuiet(email)
    const [waiting] = await reach(id)
    assert.containSubset(waiting.serialize(), {
      status: 'scheduled',
      statusReason: 'QUIET_HOURS',
      inInbox: true,
    })
    assert.isAbove((await findPendingSend(id))!.dueAt.diffNow().as('minutes'), 50)
    await endQuietHours(email)
    const [sent] = await reach(id)
    assert.equal(sent.status, 'sent')
    assert.lengthOf(smtp.mailsTo(email), 1)
  })

  test('is not retried before they end, and then for as long as it says', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    const result = await sendDurably(client, email, { retryHours: 1 })
    assert.equal(result.status, 'failed')
    takes(server)
    await beQuiet(email)
    const [waiting] = await reach(result.id)
    assert.match(waiting.statusReason!, /^SMTP_ERROR/)
    const { dueAt, giveUpAt } = (await findPendingSend(result.id))!
    assert.isAbove(dueAt.diffNow().as('minutes'), 50)
    assert.approximately(giveUpAt.diff(dueAt).as('minutes'), 60, 1)
    await endQuietHours(email)
    const [sent] = await reach(result.id)
    assert.equal(sent.status, 'sent')
  })

  test('waits when an administrator sends it again', async ({ assert, client }) => {
    const email = await someoneQuiet()
    const { code: appCode } = await anApplication()
    const { id } = await aNotification(email, {
      appCode,
      type: 'generic',
      status: 'failed',
      payload: TEXT,
      statusReason: 'SMTP_ERROR: refused',
    })
    const path = `/api/admin/notifications/log/${appCode}/${id}/resend`
    const response = await superAdmin(client).post(path)
    response.assertStatus(200)
    const scheduled = { id, status: 'scheduled', statusReason: 'QUIET_HOURS' }
    assert.containSubset(response.body().data, scheduled)
    assert.isString(response.body().data.scheduledFor)
    await endQuietHours(email)
    const [sent] = await reach(id)
    assert.equal(sent.status, 'sent')
  })
})

const noop = async () => {}

test.group('A broadcast to users with quiet hours', () => {
  async function begun(cleanup: Cleanup, prepare: (emails: string[]) => Promise<unknown> = noop) {
    const emails = [uniqueEmail(), uniqueEmail(), uniqueEmail(), uniqueEmail()]
    for (const email of emails.slice(1)) await beQuiet(email)
    await prepare(emails)
    const broadcast = await aBroadcast(await anApplication(), {
      audience: { kind: 'emails', emails },
      ratePerSecond: 100,
    })
    const worker = startBroadcastWorker(cleanup)
    const waiting = await eventually('the quiet ones wait', async () => {
      const found = await Notification.query()
        .where({ broadcastId: broadcast.id, status: 'scheduled' })
        .orderBy('id')
      return found.length === 3 && found
    })
    return { broadcast, emails, waiting, worker }
  }

  const makeRecipientsDue = (broadcastId: number) =>
    BroadcastRecipient.query().where({ broadcastId }).whereNull('status').update({ due_at: 1 })

  test('runs until the last of them has got it', async ({ assert, client, cleanup }) => {
    const { broadcast, emails, waiting } = await begun(cleanup)
    const [awake, first, second, third] = emails
    await eventually('one was sent', async () => (await broadcast.refresh()).sent === 1)
    assert.lengthOf(smtp.mailsTo(awake), 1)
    assert.equal(broadcast.status, 'running')
    for (const { statusReason, inInbox, scheduledFor } of waiting) {
      assert.deepEqual([statusReason, inInbox], ['QUIET_HOURS', true])
      assert.isAbove(scheduledFor!.diffNow().as('minutes'), 50)
    }
    const cancelled = waiting.find(({ email }) => email === third)!
    const path = `/api/internal/notifications/${cancelled.id}`
    const response = await anotherService(client).delete(path)
    response.assertStatus(200)
    await endQuietHours(first)
    await endQuietHours(third)
    await makeRecipientsDue(broadcast.id)
    await eventually('another was sent', async () => (await broadcast.refresh()).sent === 2)
    await eventually('one was cancelled', async () => (await broadcast.refresh()).skipped === 1)
    assert.equal(broadcast.status, 'running')
    await endQuietHours(second)
    await makeRecipientsDue(broadcast.id)
    const { sent, failed, skipped } = await waitForBroadcastStatus(broadcast.id, 'completed')
    assert.deepEqual([sent, failed, skipped], [3, 0, 1])
    for (const email of [awake, first, second]) assert.lengthOf(smtp.mailsTo(email), 1)
    assert.isEmpty(smtp.mailsTo(third))
    const recorded = await Notification.query().where('broadcastId', broadcast.id)
    assert.lengthOf(recorded, 4)
  })

  test('sends nothing more once it is cancelled', async ({ assert, client, cleanup }) => {
    const { broadcast, emails, waiting } = await begun(cleanup, ([, email]) =>
      subscribe(email, new Browser('https://push.example'))
    )
    const subscribed = waiting.find(({ email }) => email === emails[1])!
    const entry = await anotherService(client).get(`/api/internal/notifications/${subscribed.id}`)
    const channels = entry.body().data.deliveries.map(({ channel }: Delivery) => channel)
    assert.sameMembers(channels, ['email', 'push'])
    const path = `/api/admin/notifications/broadcast/${broadcast.appCode}/${broadcast.id}/cancel`
    const response = await superAdmin(client).post(path)
    response.assertStatus(200)
    await eventually('they count', async () => (await broadcast.refresh()).skipped === 3)
    const ids = waiting.map(({ id }) => id)
    const ended = await Notification.query().whereIn('id', ids)
    for (const { status, statusReason } of ended) {
      assert.deepEqual([status, statusReason], ['skipped', 'CANCELLED'])
    }
    for (const email of emails.slice(1)) assert.isEmpty(smtp.mailsTo(email))
  })
})
