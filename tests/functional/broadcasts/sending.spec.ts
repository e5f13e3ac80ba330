import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import type { Assert } from '@japa/assert'
import Application from '#app/applications/models/application'
import Broadcast from '#app/broadcasts/models/broadcast'
import Delivery from '#app/delivery/models/delivery'
import NotificationTemplate from '#app/notifications/models/notification_template'
import Notification from '#app/notifications/models/notification'
import ApplicationPreference from '#app/profiles/models/application_preference'
import User from '#app/profiles/models/user'
import UserRole from '#app/permissions/models/user_role'
import Role from '#app/permissions/models/role'
import {
  TEXT,
  aBroadcast,
  insertPeople,
  waitForBroadcastStatus,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { aTemplate, aType } from '#tests/helpers/deliveries'
import { anApplication, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { smtp } from '#tests/world/prepare'

const mailed = (email: string) => smtp.mailsTo(email).length

function assertCounts(assert: Assert, broadcast: Broadcast, counts: Partial<Broadcast>) {
  const { total, processed, sent, failed, skipped } = broadcast
  const all = { total: 0, sent: 0, failed: 0, skipped: 0, ...counts }
  const whole = { ...all, processed: all.sent + all.failed + all.skipped }
  assert.deepEqual({ total, processed, sent, failed, skipped }, whole)
}

test.group('A broadcast', () => {
  test('reaches everyone on a list once, with a mail, a record and an inbox item', async ({
    assert,
    cleanup,
  }) => {
    const emails = uniqueEmails(250)
    const broadcast = await aBroadcast(await anApplication(), {
      audience: { kind: 'emails', emails: [...emails, ...emails.slice(0, 10)] },
    })
    assert.equal(broadcast.total, 250)
    startBroadcastWorker(cleanup)
    const done = await waitForBroadcastStatus(broadcast.id, 'completed', 30_000)

    assertCounts(assert, done, { total: 250, sent: 250 })
    assert.isNotNull(done.startedAt)
    assert.isNotNull(done.finishedAt)
    assert.isTrue(emails.every((email) => mailed(email) === 1))
    const notifications = await Notification.query().whereIn('email', emails)
    assert.lengthOf(notifications, 250)
    assert.isTrue(notifications.every(({ status, inInbox }) => status === 'sent' && inInbox))
    assert.deepEqual(notifications[0].payload, TEXT)
    const ids = notifications.map(({ id }) => id)
    const deliveries = await Delivery.query().whereIn('notificationId', ids)
    assert.lengthOf(deliveries, 250)
    assert.isTrue(deliveries.every(({ status, attempts }) => status === 'sent' && attempts === 1))
  })

  test('to an application reaches active users with a preference or role', async ({
    assert,
    cleanup,
  }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const [reader, gone, both, holder, elsewhere] = uniqueEmails(5)
    await insertPeople(application, [reader, gone, both])
    await insertPeople(other, [elsewhere])
    await User.query().where('email', gone).update({ active: false })
    const role = await Role.create({ applicationId: application.id, code: 'editor' })
    await UserRole.createMany([both, gone, holder].map((email) => ({ email, roleId: role.id })))

    const { id } = await aBroadcast(application, { audience: { kind: 'application' } })
    startBroadcastWorker(cleanup)
    assertCounts(assert, await waitForBroadcastStatus(id, 'completed'), { total: 3, sent: 3 })
    assert.deepEqual([reader, both, holder].map(mailed), [1, 1, 1])
    assert.deepEqual([gone, elsewhere].map(mailed), [0, 0])
  })

  test('to a role reaches its holders', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const [holder, other] = uniqueEmails(2)
    const [role, another] = await Role.createMany(
      ['editor', 'reader'].map((code) => ({ applicationId: application.id, code }))
    )
    await UserRole.create({ email: holder, roleId: role.id })
    await UserRole.create({ email: other, roleId: another.id })
    const { id } = await aBroadcast(application, { audience: { kind: 'role', roleCode: 'editor' } })
    startBroadcastWorker(cleanup)
    assertCounts(assert, await waitForBroadcastStatus(id, 'completed'), { total: 1, sent: 1 })
    assert.deepEqual([holder, other].map(mailed), [1, 0])
  })

  test('respects users’ preferences and languages', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const emails = uniqueEmails(3)
    await insertPeople(application, emails)
    const [czech, quiet, english] = emails
    await User.query().where('email', czech).update({ locale: 'cs' })
    const { id: userId } = await User.withEmail(quiet)
    await ApplicationPreference.query().where({ userId }).update({ notificationsEnabled: false })
    const type = await aType(application)
    await aTemplate(type, {
      en: { subject: 'Good day {{userName}}', body: '<p>{{what}}</p>' },
      cs: { subject: 'Dobrý den {{userName}}', body: '<p>{{what}}</p>' },
    })
    const broadcast = await aBroadcast(application, {
      type: type.code,
      data: { what: '<b>' },
      audience: { kind: 'application' },
    })
    startBroadcastWorker(cleanup)
    assertCounts(assert, await waitForBroadcastStatus(broadcast.id, 'completed'), {
      total: 3,
      sent: 2,
      skipped: 1,
    })
    assert.match(smtp.mailsTo(czech)[0].parsed.subject!, /^Dobrý den reader/)
    assert.match(smtp.mailsTo(english)[0].parsed.subject!, /^Good day reader/)
    assert.include(String(smtp.mailsTo(english)[0].parsed.html), '&lt;b&gt;')
    assert.equal(mailed(quiet), 0)
    const record = await Notification.findByOrFail('email', quiet)
    assert.deepEqual([record.status, record.statusReason], ['skipped', 'NOTIFICATIONS_DISABLED'])
  })

  test('records but sends nothing when its type is deleted before it starts', async ({
    assert,
    cleanup,
  }) => {
    const application = await anApplication()
    const type = await aType(application)
    const emails = uniqueEmails(3)
    const audience = { kind: 'emails' as const, emails }
    const { id } = await aBroadcast(application, { type: type.code, audience })
    await type.delete()
    startBroadcastWorker(cleanup)
    assertCounts(assert, await waitForBroadcastStatus(id, 'completed'), { total: 3, skipped: 3 })
    const records = await Notification.query().whereIn('email', emails)
    assert.deepEqual(
      records.map(({ status, statusReason }) => `${status} ${statusReason}`),
      Array.from(emails, () => 'skipped UNKNOWN_TYPE')
    )
  })

  test('fails with a reason when its application is deleted', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const { id } = await aBroadcast(application, { audience: { kind: 'emails', emails: [email] } })
    await (await Application.withCode(application.code)).delete()
    startBroadcastWorker(cleanup)
    const { statusReason, finishedAt } = await waitForBroadcastStatus(id, 'failed')
    assert.match(statusReason!, /^APPLICATION_NOT_FOUND: /)
    assert.isNotNull(finishedAt)
    assert.equal(mailed(email), 0)
  })

  test('ends with its application, also if it is scheduled or paused', async ({
    assert,
    client,
    cleanup,
  }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const scheduled = await aBroadcast(application, { scheduledAt })
    const paused = await (await aBroadcast(application)).pause()
    const cancelled = await (await aBroadcast(application)).cancel()
    const running = await aBroadcast(application)
    const kept = await aBroadcast(other, { scheduledAt })
    const path = `/api/applications/${application.code}`
    ;(await superAdmin(client).delete(path)).assertStatus(204)
    for (const { id } of [scheduled, paused, running]) {
      const { status, statusReason, finishedAt } = await Broadcast.findOrFail(id)
      assert.equal(status, 'failed')
      assert.match(statusReason!, /^APPLICATION_NOT_FOUND: /)
      assert.isNotNull(finishedAt)
    }
    assert.equal((await Broadcast.findOrFail(cancelled.id)).status, 'cancelled')
    assert.equal((await Broadcast.findOrFail(kept.id)).status, 'scheduled')
    startBroadcastWorker(cleanup)
    const after = await aBroadcast(other)
    await waitForBroadcastStatus(after.id, 'completed')
    assert.equal((await Broadcast.findOrFail(running.id)).processed, 0)
  })

  test('fails when its template is deleted or requires further variables', async ({
    assert,
    cleanup,
  }) => {
    const application = await anApplication()
    const type = await aType(application)
    const texts = { en: { subject: 'News', body: '<p>{{what}}</p>' } }
    const [gone, changed] = [await aTemplate(type, texts), await aTemplate(type, texts)]
    const broadcasts = await Promise.all(
      [gone, changed].map(({ key }) => aBroadcast(application, { type: type.code, template: key }))
    )
    await (await NotificationTemplate.withId(gone.id)).delete()
    await (
      await NotificationTemplate.withId(changed.id)
    )
      .merge({ variables: [{ key: 'what', required: true }] })
      .save()
    startBroadcastWorker(cleanup)
    const [first, second] = await Promise.all(
      broadcasts.map(({ id }) => waitForBroadcastStatus(id, 'failed'))
    )
    assert.match(first.statusReason!, /^UNKNOWN_TEMPLATE: /)
    assert.equal(second.statusReason, 'MISSING_TEMPLATE_VARIABLES: what')
  })

  test('starts at its scheduled time', async ({ assert, cleanup }) => {
    const scheduledAt = new Date(Date.now() + 1_500).toISOString()
    const { id, status, startedAt } = await aBroadcast(await anApplication(), { scheduledAt })
    assert.equal(status, 'scheduled')
    assert.isNull(startedAt)
    startBroadcastWorker(cleanup)
    const done = await waitForBroadcastStatus(id, 'completed')
    assert.isAtLeast(done.startedAt!.toMillis(), Date.parse(scheduledAt))
  })

  test('completes when nobody is left in its audience', async ({ assert, cleanup }) => {
    const application = await anApplication()
    // Of those that start at once, an empty audience is refused.
    const broadcast = await aBroadcast(application, {
      audience: { kind: 'application' },
      scheduledAt: '2099-01-01T00:00:00Z',
    })
    const { id } = await broadcast.merge({ scheduledAt: DateTime.utc() }).save()
    startBroadcastWorker(cleanup)
    assertCounts(assert, await waitForBroadcastStatus(id, 'completed'), { total: 0 })
  })

  test('sends what it can render and records why others failed', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const type = await aType(application)
    const template = await aTemplate(type, { en: { subject: 'News', body: '<p>{{what}}</p>' } })
    const emails = uniqueEmails(2)
    const { id } = await aBroadcast(application, {
      type: type.code,
      data: { what: uniqueCode() },
      audience: { kind: 'emails', emails },
    })
    await template.related('versions').query().update({ inlined_body: '{{#broken' })
    await template.related('versions').query().update({ updated_at: new Date().toISOString() })
    startBroadcastWorker(cleanup)
    assertCounts(assert, await waitForBroadcastStatus(id, 'completed'), { total: 2, failed: 2 })
    const records = await Notification.query().whereIn('email', emails)
    assert.isTrue(records.every(({ statusReason }) => statusReason?.startsWith('RENDER_ERROR')))
  })
})
