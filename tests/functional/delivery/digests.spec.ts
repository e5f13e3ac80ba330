import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { deleteApplication } from '#app/applications/actions/delete_application'
import { DigestSource } from '#app/delivery/background/digest_source'
import Digest from '#app/delivery/models/digest'
import DigestItem from '#app/delivery/models/digest_item'
import PendingSend from '#app/delivery/models/pending_send'
import Notification from '#app/notifications/models/notification'
import NotificationType from '#app/notifications/models/notification_type'
import { nextDigestAt } from '#app/notifications/values/digest_frequency'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'
import { aBroadcast, startBroadcastWorker, waitForBroadcastStatus } from '#tests/helpers/broadcasts'
import { postInternalNotification, subscribe } from '#tests/helpers/deliveries'
import {
  aDigestedType,
  digestsOf,
  makeDigestsDue,
  prepareDigests,
  reachDigests,
  sendDigested,
  waitingDigest,
} from '#tests/helpers/digests'
import { eventually } from '#tests/helpers/eventually'
import { anotherService } from '#tests/helpers/internal'
import { inPath } from '#tests/helpers/management'
import { LONG_AGO } from '#tests/helpers/provider_hook'
import { findPendingSend, refusedPerson, runNextRound, takes } from '#tests/helpers/pending_sends'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { beQuiet, endQuietHours } from '#tests/helpers/quiet_hours'
import { inHours, reach } from '#tests/helpers/scheduled_sends'
import { smtp } from '#tests/world/prepare'
import { PushService } from '#tests/world/push_service'
import sendingConfig from '#config/sending'

const INBOX = '/api/profile/me/notifications/inbox'
const message = (subject: string, fields: object = {}) => ({ subject, body: 'Text', ...fields })

async function digestedApplication(digest = {}) {
  const application = await anApplication({ name: 'Shop' })
  const type = await aDigestedType(application, digest)
  return { application, type }
}

const entryOf = (id: number) => Notification.findOrFail(id)

test.group('A mail for a digest', () => {
  test('waits, while the inbox has the message, and is sent with the others', async ({
    assert,
    client,
  }) => {
    const shop = await digestedApplication()
    const email = uniqueEmail()
    await ensureUser({ email })
    await User.query().where({ email }).update({ timezone: 'Europe/Prague', locale: 'cs' })
    const first = await sendDigested(client, shop, email, message('One <b>', { url: '/orders/1' }))
    const dueAt = nextDigestAt('daily', 'Europe/Prague', DateTime.utc())
    const scheduledFor = dueAt.toISO()
    const waiting = { status: 'scheduled', statusReason: 'DIGEST', scheduledFor }
    assert.deepEqual(first, { id: first.id, ...waiting } as typeof first)
    const second = await sendDigested(client, shop, email, message('Two'))
    const items = (await signedIn(client, email).get(INBOX)).body().response
    assert.lengthOf(items, 2)
    const service = anotherService(client)
    const before = await service.get(`/api/internal/notifications/${first.id}`)
    const pending = { channel: 'email', status: 'pending', nextAttemptAt: scheduledFor }
    assert.containSubset(before.body().data, { ...waiting, digestId: null, deliveries: [pending] })
    await prepareDigests()
    assert.isEmpty(smtp.mailsTo(email), 'it is not due')

    await reachDigests(email)
    const [mail, ...others] = smtp.mailsTo(email)
    assert.isEmpty(others)
    assert.equal(mail.parsed.subject, `Shop: ${shop.type.name} (2)`)
    const html = String(mail.parsed.html)
    assert.match(html, /Two[^]*One &lt;b&gt;/)
    assert.include(mail.parsed.text, 'One <b>')
    assert.notInclude(html, 'Další zprávy')
    assert.match(mail.raw.toString(), /^List-Unsubscribe:\s+</m)
    const [digest] = await digestsOf(email)
    assert.containSubset(digest.serialize(), {
      status: 'sent',
      statusReason: null,
      digestSize: 2,
      inInbox: false,
      locale: 'cs',
      payload: { count: 2, more: 0 },
      templateSource: 'builtIn',
      digestId: null,
    })
    for (const { id } of [first, second]) {
      const entry = await entryOf(id)
      assert.containSubset(entry.serialize(), {
        status: 'sent',
        statusReason: null,
        digestId: digest.id,
      })
    }
    const after = await service.get(`/api/internal/notifications/${digest.id}`)
    assert.containSubset(after.body().data, { digestSize: 2, digestId: null })
    const [{ providerMessageId }] = after.body().data.deliveries
    const delivered = await service.get(`/api/internal/notifications/${first.id}`)
    const delivery = { channel: 'email', status: 'sent', attempts: [], providerMessageId }
    assert.containSubset(delivered.body().data.deliveries, [delivery])
    const explained = await service.get(`/api/internal/notifications/${digest.id}/explain`)
    const step = { step: 'digest', detail: 'The mail is a digest of 2 notifications.' }
    assert.containSubset(explained.body().data, { decision: 'send', steps: [step] })
    assert.lengthOf((await signedIn(client, email).get(INBOX)).body().response, 2)
    assert.isNull(await waitingDigest(email))

    await sendDigested(client, shop, email, message('Three'))
    await reachDigests(email)
    assert.lengthOf(smtp.mailsTo(email), 2, 'one message is a digest too')
  })

  test('is pushed at once, and is still part of a digest', async ({ assert, client, cleanup }) => {
    const pushes = await new PushService().start()
    cleanup(() => pushes.stop())
    const browser = pushes.newBrowser()
    const shop = await digestedApplication()
    const email = uniqueEmail()
    await subscribe(email, browser)
    const result = await sendDigested(client, shop, email)
    assert.containSubset(result, { status: 'sent', statusReason: null })
    assert.lengthOf(browser.messages, 1)
    const failing = await new PushService().start()
    cleanup(() => failing.stop())
    const other = uniqueEmail()
    const refusing = failing.newBrowser()
    await subscribe(other, refusing)
    await failing.stop()
    const failed = await sendDigested(client, shop, other)
    assert.equal(failed.status, 'failed')
    await reachDigests(email, other)
    assert.lengthOf(smtp.mailsTo(email), 1)
    assert.lengthOf(browser.messages, 1)
    assert.equal((await entryOf(result.id)).status, 'sent')
    const late = await entryOf(failed.id)
    assert.equal(late.status, 'sent')
    assert.match(late.statusReason!, /^PUSH_ERROR/)
  })

  test('counts even if a push message that is retried fails later', async ({
    assert,
    client,
    cleanup,
  }) => {
    const pushes = await new PushService().start()
    cleanup(() => pushes.stop())
    const browser = pushes.newBrowser()
    const shop = await digestedApplication()
    const email = uniqueEmail()
    await subscribe(email, browser)
    browser.response = 503
    const result = await sendDigested(client, shop, email, undefined, { retryHours: 1 })
    assert.property(result, 'retryUntil')
    await reachDigests(email)
    assert.equal((await entryOf(result.id)).status, 'sent')
    browser.response = 400
    const late = await runNextRound(result)
    assert.equal(late.status, 'sent')
    assert.match(late.statusReason!, /^PUSH_ERROR/)
  })

  test('has the outcome of the digest if its push message has no subscription', async ({
    assert,
    client,
  }) => {
    const shop = await digestedApplication()
    const emails = [uniqueEmail(), uniqueEmail()]
    const ids: number[] = []
    for (const email of emails) {
      await beQuiet(email)
      const subscription = await subscribe(email, new PushService().newBrowser())
      const { id, statusReason } = await sendDigested(client, shop, email)
      assert.equal(statusReason, 'QUIET_HOURS')
      ids.push(id)
      await subscription.delete()
      await endQuietHours(email)
    }
    const [[before, after], [early, late]] = [emails, ids]
    await reach(early)
    const waiting = await entryOf(early)
    assert.containSubset(waiting.serialize(), { status: 'scheduled', statusReason: 'DIGEST' })
    const { dueAt } = (await waitingDigest(before))!
    assert.equal(waiting.scheduledFor?.toISO(), dueAt.toISO())
    await reachDigests(before, after)
    await reach(late)
    for (const [index, email] of emails.entries()) {
      assert.lengthOf(smtp.mailsTo(email), 1)
      const sent = { status: 'sent', statusReason: null }
      assert.containSubset((await entryOf(ids[index])).serialize(), sent)
    }
  })

  test('waits for the end of quiet hours too', async ({ assert, client }) => {
    const shop = await digestedApplication()
    const email = uniqueEmail()
    await beQuiet(email)
    const { id, statusReason } = await sendDigested(client, shop, email)
    assert.equal(statusReason, 'DIGEST')
    await reachDigests(email)
    assert.isEmpty(smtp.mailsTo(email))
    const { dueAt, waitUntil } = (await waitingDigest(email))!
    assert.approximately(dueAt.diffNow().as('minutes'), 59.5, 1)
    assert.isNotNull(waitUntil)
    assert.equal((await entryOf(id)).scheduledFor?.toISO(), dueAt.toISO())
    await endQuietHours(email)
    await reachDigests(email)
    assert.lengthOf(smtp.mailsTo(email), 1)
  })

  test('is left out once it is cancelled, and a digest without messages is none', async ({
    assert,
    client,
  }) => {
    const shop = await digestedApplication()
    const email = uniqueEmail()
    const first = await sendDigested(client, shop, email, message('One'))
    const second = await sendDigested(client, shop, email, message('Two'))
    const cancel = (id: number) =>
      anotherService(client).delete(`/api/internal/notifications/${id}`)
    const response = await cancel(first.id)
    response.assertStatus(200)
    await reachDigests(email)
    const [{ parsed }] = smtp.mailsTo(email)
    assert.notInclude(parsed.text, 'One')
    const tooLate = await cancel(second.id)
    tooLate.assertProblem(409, 'ALREADY_SENT')
    const third = await sendDigested(client, shop, email, message('Three'))
    await cancel(third.id)
    await reachDigests(email)
    assert.lengthOf(smtp.mailsTo(email), 1)
    assert.isNull(await waitingDigest(email))
  })

  test('cannot be cancelled once the digest is sent, even if its push message waits', async ({
    assert,
    client,
  }) => {
    const shop = await digestedApplication()
    const email = uniqueEmail()
    const { id } = await sendDigested(client, shop, email)
    await reachDigests(email)
    const waiting = { status: 'scheduled', status_reason: 'QUIET_HOURS' }
    await Notification.query().where({ id }).update(waiting)
    const response = await anotherService(client).delete(`/api/internal/notifications/${id}`)
    response.assertStatus(409)
    assert.equal(response.body().code, 'ALREADY_SENT')
    assert.equal((await entryOf(id)).status, 'scheduled')
  })

  test('is not sent to a user who {change}')
    .with([
      { change: 'was deactivated', status: 'skipped', reason: /^NOTIFICATIONS_DISABLED/ },
      { change: 'switched the mails off', status: 'skipped', reason: /^NO_CHANNEL$/ },
      { change: 'is suppressed', status: 'skipped', reason: /^RECIPIENT_SUPPRESSED$/ },
      { change: 'would get a deleted type', status: 'skipped', reason: /^UNKNOWN_TYPE$/ },
      { change: 'lost the application', status: 'failed', reason: /^APPLICATION_NOT_FOUND: / },
      { change: 'was deleted', status: 'failed', reason: /^RECIPIENT_ERASED$/ },
      { change: 'was erased', status: 'skipped', reason: /^RECIPIENT_ERASED$/ },
    ])
    .run(async ({ assert, client }, { change, status, reason }) => {
      const shop = await digestedApplication()
      const { application, type } = shop
      const email = uniqueEmail()
      const { id } = await sendDigested(client, shop, email)
      const digest = (await waitingDigest(email))!
      const admin = superAdmin(client)
      switch (change) {
        case 'was deactivated':
          await User.query().where({ email }).update({ active: false })
          break
        case 'switched the mails off':
          await setPreference(client, email, type, { email: false })
          break
        case 'is suppressed':
          await admin.post('/api/admin/notifications/suppressions', { email, reason: 'manual' })
          break
        case 'would get a deleted type':
          await NotificationType.query().where('id', type.id).delete()
          break
        case 'was deleted':
          await User.query().where({ email }).delete()
          break
        case 'was erased': {
          const erased = await admin.delete(`/api/users/${inPath(email)}`)
          erased.assertStatus(204)
          assert.isNull(await DigestItem.find(id))
          break
        }
        default:
          await deleteApplication(application.code)
      }
      await Digest.query().where('id', digest.id).update({ due_at: '2020-01-01T00:00:00.000Z' })
      await prepareDigests()
      const entry = await entryOf(id)
      assert.equal(entry.status, status)
      assert.match(entry.statusReason!, reason)
      assert.isEmpty(smtp.mailsTo(email))
      assert.isNull(await Digest.find(digest.id))
    })

  test('is sent as planned if the user then chooses another digest, or none', async ({
    assert,
    client,
  }) => {
    const shop = await digestedApplication({ default: 'weekly' })
    const email = uniqueEmail()
    const weekly = await sendDigested(client, shop, email, message('Weekly'))
    const planned = (await waitingDigest(email))!.dueAt
    await setPreference(client, email, shop.type, { digest: 'off' })
    const separate = await sendDigested(client, shop, email, message('At once'))
    assert.equal(separate.status, 'sent')
    assert.deepEqual((await waitingDigest(email))!.dueAt, planned)
    await setPreference(client, email, shop.type, { digest: 'hourly' })
    await sendDigested(client, shop, email, message('Hourly'))
    const { dueAt } = (await waitingDigest(email))!
    assert.equal(dueAt.toISO(), nextDigestAt('hourly', 'UTC', DateTime.utc()).toISO())
    assert.equal((await entryOf(weekly.id)).scheduledFor?.toISO(), dueAt.toISO())
    await setPreference(client, email, shop.type, { digest: 'daily' })
    const daily = await sendDigested(client, shop, email, message('Daily'))
    assert.equal(daily.scheduledFor, dueAt.toISO())
    assert.equal((await entryOf(daily.id)).scheduledFor?.toISO(), dueAt.toISO())
    await reachDigests(email)
    const [, { parsed }] = smtp.mailsTo(email)
    assert.match(parsed.text!, /Daily[^]*Hourly[^]*Weekly/)
  })

  test('is sent as planned if the user changes the time zone, or earlier with the next message', async ({
    assert,
    client,
  }) => {
    const shop = await digestedApplication()
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const now = DateTime.utc()
    const dueIn = (zone: string) => nextDigestAt('daily', zone, now).toMillis()
    const zones = ['Etc/GMT+9', 'UTC', 'Etc/GMT-7', 'Etc/GMT-13'].sort(
      (a, b) => dueIn(a) - dueIn(b)
    )
    const moveTo = async (timeZone: string) => {
      const hours = { enabled: false, timeZone, windows: [] }
      const moved = await person.put('/api/profile/me/quiet-hours', hours)
      moved.assertStatus(200)
    }
    const due = async () => (await waitingDigest(email))!.dueAt.toMillis()
    const [, soon, late, latest] = zones
    await moveTo(late)
    const first = await sendDigested(client, shop, email, message('One'))
    assert.equal(await due(), dueIn(late))
    await moveTo(latest)
    assert.equal(await due(), dueIn(late))
    const second = await sendDigested(client, shop, email, message('Two'))
    assert.equal(second.scheduledFor, first.scheduledFor)
    await moveTo(soon)
    assert.equal(await due(), dueIn(late))
    await sendDigested(client, shop, email, message('Three'))
    assert.equal(await due(), dueIn(soon))
    for (const { id } of [first, second]) {
      assert.equal((await entryOf(id)).scheduledFor?.toMillis(), dueIn(soon))
    }
    await reachDigests(email)
    const [{ parsed }] = smtp.mailsTo(email)
    assert.match(parsed.text!, /Three[^]*Two[^]*One/)
  })

  test('with a sendAt becomes part of a digest when it falls due', async ({ assert, client }) => {
    const shop = await digestedApplication()
    const email = uniqueEmail()
    const { id } = await sendDigested(client, shop, email, message('Later'), { sendAt: inHours(1) })
    const [entry] = await reach(id)
    assert.containSubset(entry.serialize(), { status: 'scheduled', statusReason: 'DIGEST' })
    assert.isNotNull(entry.scheduledFor)
    assert.isNull(await findPendingSend(id))
    await reachDigests(email)
    assert.lengthOf(smtp.mailsTo(email), 1)
    assert.equal((await entryOf(id)).status, 'sent')
  })

  test('fails with the digest, and can then be sent again by itself', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { email, server } = await refusedPerson(cleanup)
    server.react = (stage) => (stage === 'RCPT' ? 550 : undefined)
    const shop = await digestedApplication()
    const { id } = await sendDigested(client, shop, email)
    const other = await sendDigested(client, shop, email)
    await reachDigests(email)
    const entry = await entryOf(id)
    assert.equal(entry.status, 'failed')
    assert.match(entry.statusReason!, /^SMTP_ERROR: 550/)
    const [digest] = await digestsOf(email)
    takes(server)
    const again = (each: number) =>
      superAdmin(client).post(
        `/api/admin/notifications/log/${shop.application.code}/${each}/resend`
      )
    const refused = await again(digest.id)
    refused.assertProblem(409, 'NOT_RESENDABLE')
    await superAdmin(client).delete(`/api/admin/notifications/suppressions/${inPath(email)}`)
    const resent = await again(id)
    assert.containSubset(resent.body().data, { id, status: 'sent' })
    assert.isNull((await entryOf(id)).digestId)
    assert.isNull(await waitingDigest(email))
    await beQuiet(email)
    const waiting = await again(other.id)
    assert.containSubset(waiting.body().data, { status: 'scheduled', statusReason: 'QUIET_HOURS' })
    const cancelled = await anotherService(client).delete(`/api/internal/notifications/${other.id}`)
    cancelled.assertStatus(200)
  })

  test('is retried with the digest for a day', async ({ assert, client, cleanup }) => {
    const { email, server } = await refusedPerson(cleanup)
    const shop = await digestedApplication()
    const { id } = await sendDigested(client, shop, email)
    await reachDigests(email)
    const [digest] = await digestsOf(email)
    const { giveUpAt } = (await findPendingSend(digest.id))!
    assert.closeTo(giveUpAt.diffNow().as('hours'), 24, 0.1)
    const path = `/api/admin/notifications/log/${shop.application.code}/${id}/resend`
    const resent = await superAdmin(client).post(path)
    resent.assertProblem(409, 'NOTIFICATION_NOT_FAILED')
    takes(server)
    await reach(digest.id)
    assert.equal((await entryOf(id)).status, 'sent')
    assert.lengthOf(server.mails, 1)
  })
})

test.group('A broadcast to users with digests', () => {
  test('is over once their mails are part of digests', async ({ assert, client, cleanup }) => {
    const { application, type } = await digestedApplication()
    const emails = [uniqueEmail(), uniqueEmail(), uniqueEmail()]
    const [separate, one, two] = emails
    await ensureUser({ email: separate })
    await setPreference(client, separate, type, { digest: 'off' })
    const broadcast = await aBroadcast(application, {
      type: type.code,
      audience: { kind: 'emails', emails },
    })
    startBroadcastWorker(cleanup)
    const { sent, failed, skipped } = await waitForBroadcastStatus(broadcast.id, 'completed')
    assert.deepEqual([sent, failed, skipped], [3, 0, 0])
    assert.lengthOf(smtp.mailsTo(separate), 1)
    const waiting = await Notification.query()
      .where({ broadcastId: broadcast.id, status: 'scheduled', statusReason: 'DIGEST' })
      .orderBy('id')
    assert.sameMembers(
      waiting.map(({ email }) => email),
      [one, two]
    )
    const cancelled = waiting.find(({ email }) => email === two)!
    const path = `/api/internal/notifications/${cancelled.id}`
    const response = await anotherService(client).delete(path)
    response.assertStatus(200)
    await reachDigests(...emails)
    assert.lengthOf(smtp.mailsTo(one), 1)
    assert.isEmpty(smtp.mailsTo(two))
    const recorded = await Notification.query().where({ broadcastId: broadcast.id })
    assert.sameMembers(
      recorded.map(({ status }) => status),
      ['sent', 'sent', 'skipped']
    )
  })

  test('leaves a push message without a subscription after quiet hours to the digest', async ({
    assert,
    cleanup,
  }) => {
    const { application, type } = await digestedApplication()
    const emails = [uniqueEmail(), uniqueEmail()]
    const [early, late] = emails
    const subscriptions = []
    for (const email of emails) {
      await beQuiet(email)
      subscriptions.push(await subscribe(email, new PushService().newBrowser()))
    }
    const broadcast = await aBroadcast(application, {
      type: type.code,
      audience: { kind: 'emails', emails },
    })
    startBroadcastWorker(cleanup)
    const entries = () => Notification.query().where({ broadcastId: broadcast.id })
    await eventually('the push messages wait', async () => {
      const recipients = await BroadcastRecipient.query()
        .where({ broadcastId: broadcast.id, claims: 0 })
        .whereNotNull('notificationId')
      return recipients.length === 2
    })
    for (const subscription of subscriptions) await subscription.delete()
    for (const email of emails) await endQuietHours(email)
    await reachDigests(early)
    await BroadcastRecipient.query()
      .where({ broadcastId: broadcast.id })
      .whereNull('status')
      .update({ due_at: 1 })
    const { sent } = await waitForBroadcastStatus(broadcast.id, 'completed')
    assert.equal(sent, 2)
    const statusOf = async (email: string) =>
      (await entries().where({ email }).firstOrFail()).status
    assert.equal(await statusOf(early), 'sent')
    assert.equal(await statusOf(late), 'scheduled')
    await reachDigests(late)
    assert.equal(await statusOf(late), 'sent')
  })

  test('gives a mail to a digest once, if the process ends before it says so', async ({
    assert,
    cleanup,
  }) => {
    const { application, type } = await digestedApplication()
    const email = uniqueEmail()
    const broadcast = await aBroadcast(application, {
      type: type.code,
      audience: { kind: 'emails', emails: [email] },
    })
    startBroadcastWorker(cleanup)
    await waitForBroadcastStatus(broadcast.id, 'completed')
    const [item] = await Notification.query().where({ broadcastId: broadcast.id })
    const again = async () => {
      const of = BroadcastRecipient.query().where('broadcastId', broadcast.id)
      await of.update({ status: null, due_at: 1 })
      await broadcast.merge({ status: 'running', sent: 0 }).save()
      await waitForBroadcastStatus(broadcast.id, 'completed')
    }
    await again()
    await reachDigests(email)
    await again()
    assert.lengthOf(smtp.mailsTo(email), 1)
    await item.refresh()
    assert.equal(item.status, 'sent')
    assert.isNull(await waitingDigest(email))
  })
})

test.group('Digests', () => {
  test('do not wait for all those of another application', async ({ assert }) => {
    const [busy, other] = [await digestedApplication(), await digestedApplication()]
    const waiting = async ({ application, type }: typeof busy, minutes: number) => {
      const { id: userId } = await ensureUser({ email: uniqueEmail() })
      const dueAt = LONG_AGO.plus({ minutes })
      // So that they are claimed one at a time.
      const fields = { notificationTypeId: type.id, claim: '', claims: 2, createdAt: dueAt }
      return Digest.create({ ...fields, userId, applicationId: application.id, dueAt })
    }
    for (let minutes = 0; minutes < 5; minutes++) await waiting(busy, minutes)
    const { id } = await waiting(other, 10)
    const source = new DigestSource()
    await source.work()
    assert.isNotNull(await Digest.find(id))
    await source.work()
    assert.isNull(await Digest.find(id))
    assert.lengthOf(await Digest.findManyBy({ applicationId: busy.application.id }), 4)
    while (await source.work()) continue
    assert.isEmpty(await Digest.findManyBy({ applicationId: busy.application.id }))
  })

  test('are prepared once by processes that race, also against cancellations', async ({
    assert,
    client,
  }) => {
    const shop = await digestedApplication()
    const emails = Array.from({ length: 12 }, () => uniqueEmail())
    const ids: number[] = []
    for (const email of emails) {
      for (const subject of ['One', 'Two']) {
        ids.push((await sendDigested(client, shop, email, message(subject))).id)
      }
    }
    await makeDigestsDue(...emails)
    const service = anotherService(client)
    const cancel = (id: number) => service.delete(`/api/internal/notifications/${id}`)
    const [statuses] = await Promise.all([
      Promise.all(ids.filter((_, index) => index % 2 === 0).map(cancel)),
      ...[1, 2, 3].map(() => prepareDigests()),
      ...emails.map((email) => sendDigested(client, shop, email, message('Meanwhile'))),
    ])
    await reachDigests(...emails)
    const cancelled = statuses.filter((response) => response.status() === 200).length
    const mails = emails.flatMap((email) => smtp.mailsTo(email))
    const shown = (subject: string) =>
      mails.filter(({ parsed }) => parsed.text!.includes(subject)).length
    assert.equal(shown('One'), emails.length - cancelled)
    assert.equal(shown('Two'), emails.length)
    assert.equal(shown('Meanwhile'), emails.length)
    const entries = await Notification.query().whereIn('email', emails).whereNull('digestSize')
    const byStatus = Object.groupBy(entries, ({ status }) => status)
    assert.lengthOf(byStatus.skipped ?? [], cancelled)
    assert.lengthOf(byStatus.sent ?? [], entries.length - cancelled)
    assert.isNull(await DigestItem.query().whereIn('notificationId', ids).first())
  })

  test('leave nothing of users who are erased at the same moment', async ({ assert, client }) => {
    const shop = await digestedApplication()
    const emails = Array.from({ length: 10 }, () => uniqueEmail())
    for (const email of emails) {
      for (const subject of ['One', 'Two'])
        await sendDigested(client, shop, email, message(subject))
    }
    const users = await User.query().whereIn('email', emails)
    await makeDigestsDue(...emails)
    const admin = superAdmin(client)
    const [statuses] = await Promise.all([
      Promise.all(emails.map((email) => admin.delete(`/api/users/${inPath(email)}`))),
      ...[1, 2].map(() => prepareDigests()),
    ])
    assert.isTrue(statuses.every((response) => response.status() === 204))
    const ids = users.map(({ id }) => id)
    assert.isNull(await Digest.query().whereIn('userId', ids).first())
    assert.isEmpty(await Notification.query().whereIn('email', emails))
    const [{ $extras }] = await PendingSend.query().where('digest', true).count('* as rows')
    assert.equal(Number($extras.rows), 0)
  })

  test('show the latest 50 messages, and say how many more there are', async ({
    assert,
    client,
  }) => {
    const shop = await digestedApplication()
    const email = uniqueEmail()
    const notifications = Array.from({ length: 60 }, (_, index) => ({
      recipientEmail: email,
      appCode: shop.application.code,
      type: shop.type.code,
      data: message(`Message ${index}.`),
    }))
    const response = await postInternalNotification(client, '/bulk', { notifications })
    response.assertStatus(200)
    assert.equal(response.body().data.at(-1).statusReason, 'DIGEST')
    await reachDigests(email)
    const [{ parsed }] = smtp.mailsTo(email)
    assert.lengthOf(parsed.text!.match(/Message \d+\./g)!, 50)
    assert.notInclude(parsed.text, 'Message 9.')
    assert.include(parsed.text, 'More messages: 10')
  })

  test('are several if the log has much of their messages', async ({ assert, client }) => {
    const shop = await digestedApplication()
    const email = uniqueEmail()
    for (let nth = 0; nth < 5; nth++) await sendDigested(client, shop, email)
    const payload = { body: 'x'.repeat(sendingConfig.digestBytes * 0.3) }
    await Notification.query()
      .where({ email })
      .update({ payload: JSON.stringify(payload) })
    await reachDigests(email)
    const sizes = (await digestsOf(email)).map(({ digestSize }) => digestSize)
    assert.deepEqual(sizes, [3, 2])
    assert.lengthOf(smtp.mailsTo(email), 2)
  })

  test('keep what is sensitive out of the log', async ({ assert, client }) => {
    const shop = await digestedApplication()
    const email = uniqueEmail()
    await sendDigested(client, shop, email, message('Secret 4711-0815'))
    assert.notInclude(JSON.stringify(await DigestItem.all()), '4711-0815')
    await reachDigests(email)
    assert.include(smtp.mailsTo(email)[0].parsed.text, '4711-0815')
    const [digest] = await digestsOf(email)
    assert.notInclude(JSON.stringify(digest.serialize()), '4711-0815')
    assert.isNull(await PendingSend.findBy({ notificationId: digest.id }))
  })

  test('keep a repeated request with a key from waiting twice', async ({ assert, client }) => {
    const shop = await digestedApplication()
    const email = uniqueEmail()
    const body = {
      recipientEmail: email,
      appCode: shop.application.code,
      type: shop.type.code,
      data: message('Once'),
    }
    const headers = { 'idempotency-key': uniqueCode() }
    const first = await postInternalNotification(client, '', body, headers)
    const second = await postInternalNotification(client, '', body, headers)
    assert.deepEqual(second.body().data, first.body().data)
    await reachDigests(email)
    assert.lengthOf(smtp.mailsTo(email), 1)
  })
})

async function setPreference(
  client: Parameters<typeof signedIn>[0],
  email: string,
  { id }: NotificationType,
  changes: object
) {
  const path = `/api/profile/me/notifications/preferences/${id}`
  const response = await signedIn(client, email).put(path, changes)
  response.assertStatus(200)
}
