import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { finishPendingRounds } from '#app/delivery/actions/track_round'
import { createApplication } from '#app/applications/actions/create_application'
import { deleteApplication } from '#app/applications/actions/delete_application'
import { ScheduledSendSource } from '#app/delivery/background/scheduled_send_source'
import { startPending } from '#app/delivery/actions/start_pending'
import { claimRequests } from '#app/delivery/background/claim_requests'
import Delivery from '#app/delivery/models/delivery'
import PendingSend from '#app/delivery/models/pending_send'
import Notification from '#app/notifications/models/notification'
import NotificationTemplate from '#app/notifications/models/notification_template'
import User from '#app/profiles/models/user'
import mailConfig from '#config/mail'
import sendingConfig from '#config/sending'
import { saveVersion } from '#app/notifications/actions/save_version'
import { aKeyOf, serverWith } from '#tests/helpers/application_keys'
import {
  aTemplate,
  aType,
  postInternalNotification,
  sendNotification,
  subscribe,
  withSharedServer,
} from '#tests/helpers/deliveries'
import { uniqueEmails } from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { anotherService } from '#tests/helpers/internal'
import { inPath } from '#tests/helpers/management'
import {
  findPendingSend,
  makeDue,
  processDueSends,
  refusedPerson,
  runNextRound,
  TEXT,
} from '#tests/helpers/pending_sends'
import { LONG_AGO } from '#tests/helpers/provider_hook'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { inHours, prepareDue, reach, schedule } from '#tests/helpers/scheduled_sends'
import { smtp } from '#tests/world/prepare'
import { PushService } from '#tests/world/push_service'
import { TestSmtpServer } from '#tests/world/smtp_server'

const INBOX = '/api/profile/me/notifications/inbox'

/** Whether a send that falls due after others is rendered by the second claim. */
async function isRenderedSoon(notificationId: number) {
  const pending = (await findPendingSend(notificationId))!
  await pending.merge({ dueAt: DateTime.utc().minus({ seconds: 1 }) }).save()
  const source = new ScheduledSendSource()
  await source.work()
  await source.work()
  return (await pending.refresh()).prepared
}

test.group('A send for later', () => {
  test('is kept, and rendered and sent as everything is when its time has come', async ({
    assert,
    client,
  }) => {
    const application = await anApplication({ name: 'Shop' })
    const type = await aType(application)
    const template = await aTemplate(type, { en: { subject: 'Old {{item}}', body: 'Hello' } })
    const email = uniqueEmail()
    const sendAt = inHours(24)
    const result = await schedule(client, {
      recipientEmail: email,
      appCode: application.code,
      type: type.code,
      data: { item: 'shoes' },
      sendAt,
    })
    const { id } = result
    const scheduledFor = DateTime.fromISO(sendAt).toJSDate().toISOString()
    const scheduled = { status: 'scheduled', statusReason: 'SEND_AT', scheduledFor }
    assert.deepEqual(result, { id, ...scheduled })
    const service = anotherService(client)
    const entry = await service.get(`/api/internal/notifications/${id}`)
    const shown = { subject: '', deliveries: [], payload: { item: 'shoes' } }
    assert.containSubset(entry.body().data, { ...scheduled, ...shown, template: template.key })
    const person = signedIn(client, email)
    assert.lengthOf((await person.get(INBOX)).body().response, 0)
    assert.notInclude((await findPendingSend(id))!.content, 'shoes')

    await prepareDue()
    await processDueSends()
    assert.isEmpty(smtp.mailsTo(email), 'it is not due')

    await saveVersion(template.id, 'cs', { subjectTemplate: 'Nové {{item}}', bodyTemplate: 'Ahoj' })
    await User.query().where({ email }).update({ locale: 'cs' })
    const [notification] = await reach(id)
    assert.containSubset(notification.serialize(), {
      status: 'sent',
      statusReason: null,
      locale: 'cs',
      subject: 'Nové shoes',
      scheduledFor,
    })
    assert.deepEqual(
      smtp.mailsTo(email).map(({ parsed }) => parsed.subject),
      ['Nové shoes']
    )
    assert.isNull(await findPendingSend(id))
    const [item] = (await person.get(INBOX)).body().response
    assert.containSubset(item, { subject: 'Nové shoes', body: { text: 'Ahoj' } })
    assert.isNotNull(notification.shownAt)
    const after = await service.get(`/api/internal/notifications/${id}`)
    assert.containSubset(after.body().data, { status: 'sent', scheduledFor })
  })

  test('is refused at once if its time or its content is wrong', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    await aTemplate(
      type,
      { en: { subject: 'S', body: '{{item}}' } },
      { variables: [{ key: 'item', required: true }] }
    )
    const message = { recipientEmail: uniqueEmail(), appCode: application.code, data: TEXT }
    const generic = { ...message, type: 'generic' }
    const send = (fields: object) => sendNotification(client, { ...generic, ...fields })
    for (const sendAt of [inHours(-0.01), inHours(90 * 24 + 0.1)]) {
      const response = await send({ sendAt })
      response.assertProblem(400, 'VALIDATION_ERROR')
      const [{ rule, message: text, meta }] = response.body().details.errors
      assert.equal(rule, 'ahead')
      assert.match(text, /in the future, at most 90 days ahead/)
      assert.properties(meta, ['after', 'until'])
    }
    for (const sendAt of ['2026-12-01T09:00:00', '2026-12-01', 'tomorrow', '', 5]) {
      const response = await send({ sendAt })
      response.assertProblem(400, 'VALIDATION_ERROR')
    }
    const sendAt = inHours(1)
    const missing = await send({ sendAt, type: type.code, data: {} })
    missing.assertProblem(400, 'MISSING_TEMPLATE_VARIABLES')
    const unknown = await send({ sendAt, type: 'no-such' })
    assert.containSubset(unknown.body().data, { status: 'skipped', statusReason: 'UNKNOWN_TYPE' })
    const empty = await send({ sendAt, data: {} })
    assert.containSubset(empty.body().data, { status: 'failed', statusReason: 'NO_TEMPLATE' })

    const notifications = [
      { ...generic, sendAt },
      { ...generic, sendAt: inHours(-1) },
    ]
    const bulk = await postInternalNotification(client, '/bulk', { notifications })
    const [accepted, refused] = bulk.body().data
    assert.containSubset(accepted, { status: 'scheduled', statusReason: 'SEND_AT' })
    assert.containSubset(refused, { id: null, status: 'failed', code: 'VALIDATION_ERROR' })
  })

  test('is not sent to a user who {change}')
    .with([
      { change: 'was deactivated', status: 'skipped', reason: /^NOTIFICATIONS_DISABLED/ },
      { change: 'switched the type off', status: 'skipped', reason: /^NO_CHANNEL$/ },
      { change: 'would get a deleted type', status: 'skipped', reason: /^UNKNOWN_TYPE$/ },
      { change: 'would get a deleted template', status: 'failed', reason: /^UNKNOWN_TEMPLATE: / },
      { change: 'lost the application', status: 'failed', reason: /^APPLICATION_NOT_FOUND: / },
      { change: 'lost its predecessor', status: 'failed', reason: /^APPLICATION_NOT_FOUND: / },
      { change: 'was deleted', status: 'failed', reason: /^RECIPIENT_ERASED$/ },
    ])
    .run(async ({ assert, client }, { change, status, reason }) => {
      const application = await anApplication()
      const { code: appCode } = application
      const type = await aType(application)
      const template = await aTemplate(type, { en: { subject: 'S', body: 'Hello' } })
      const recipientEmail = uniqueEmail()
      const { id } = await schedule(client, { recipientEmail, appCode, type: type.code })
      switch (change) {
        case 'was deactivated':
          await User.query().where('email', recipientEmail).update({ active: false })
          break
        case 'switched the type off': {
          const updates = [{ notificationTypeId: type.id, email: false, push: false }]
          const path = '/api/profile/me/notifications/preferences/bulk'
          await signedIn(client, recipientEmail).put(path, { updates })
          break
        }
        case 'would get a deleted type':
          await type.delete()
          break
        case 'would get a deleted template':
          await NotificationTemplate.query().where('id', template.id).delete()
          await aTemplate(type, { en: { subject: 'Another', body: 'Hello' } })
          break
        case 'was deleted':
          await User.query().where('email', recipientEmail).delete()
          break
        default: {
          await deleteApplication(appCode)
          if (change.endsWith('predecessor')) {
            const successor = await createApplication({ code: appCode, name: 'Another' })
            await aTemplate(await aType(successor, { code: type.code }), {
              en: { subject: 'S', body: 'Hello' },
            })
          }
        }
      }
      const [notification] = await reach(id)
      assert.equal(notification.status, status)
      assert.match(notification.statusReason!, reason)
      assert.isEmpty(smtp.mailsTo(recipientEmail))
      assert.isNull(await findPendingSend(id))
      if (change === 'was deleted') assert.isNull(await User.findBy({ email: recipientEmail }))
    })

  test('is retried for as long as it says, from then on', async ({ assert, client, cleanup }) => {
    const { email } = await refusedPerson(cleanup)
    const { code: appCode } = await anApplication()
    const fields = { recipientEmail: email, appCode }
    const durable = await schedule(client, { ...fields, retryHours: 3 })
    const single = await schedule(client, { ...fields, retryHours: 0 })
    const [first, second] = await reach(durable.id, single.id)
    assert.match(first.statusReason!, /^SMTP_ERROR/)
    assert.match(second.statusReason!, /^SMTP_ERROR/)
    const { giveUpAt } = (await findPendingSend(durable.id))!
    assert.closeTo(giveUpAt.diffNow().as('hours'), 3, 0.05)
    assert.isNull(await findPendingSend(single.id))
    assert.equal((await runNextRound(durable)).status, 'failed')
  })

  test('is sent though its process died in the first round and none ran for minutes', async ({
    assert,
    client,
  }) => {
    const { code: appCode } = await anApplication()
    const email = uniqueEmail()
    const { id } = await schedule(client, { recipientEmail: email, appCode })
    await makeDue(id)
    await prepareDue()
    const claimed = await findPendingSend(id)
    await claimed!.merge({ claims: 1 }).save()
    await startPending(claimed!, claimed!.channels)
    const begun = await findPendingSend(id)
    await begun!.merge({ giveUpAt: DateTime.utc().minus({ minutes: 5 }) }).save()
    const [notification] = await reach(id)
    assert.equal(notification.status, 'sent')
    assert.lengthOf(smtp.mailsTo(email), 1)
    assert.isNull(await findPendingSend(id))
  })

  test('is sent though its process stood still in its only round', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    const { code: appCode } = await anApplication()
    const { id } = await schedule(client, { recipientEmail: email, appCode })
    let until = 0
    server.react = (stage) => {
      if (stage !== 'RCPT') return undefined
      until ||= performance.now() + 1_200
      while (performance.now() < until);
      return 451
    }
    await reach(id)
    assert.isNotNull(await findPendingSend(id))
    server.react = () => undefined
    const [sent] = await reach(id)
    assert.equal(sent.status, 'sent')
    assert.lengthOf(server.mails, 1)
    assert.isNull(await findPendingSend(id))
  })

  test('is sent though its mail waited for a connection in vain', async ({
    assert,
    client,
    cleanup,
  }) => {
    const pushes = await new PushService().start()
    cleanup(() => pushes.stop())
    const { roundMs } = sendingConfig
    // What a mail may wait is what the server does not need.
    sendingConfig.roundMs = mailConfig.socketTimeoutMs + 300
    cleanup(() => void (sendingConfig.roundMs = roundMs))
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    server.delayMs = 1_000
    const { code: appCode } = await anApplication()
    const emails = uniqueEmails(2 * mailConfig.connectionsPerApplication)
    await withSharedServer(emails, server)
    const browsers = emails.map(() => pushes.newBrowser())
    for (const [index, email] of emails.entries()) await subscribe(email, browsers[index])
    const ids: number[] = []
    for (const recipientEmail of emails) {
      ids.push((await schedule(client, { recipientEmail, appCode })).id)
    }
    await reach(...ids)
    const first = server.mails.length
    assert.isBelow(first, emails.length)
    const waiting = await PendingSend.query().whereIn('notificationId', ids)
    assert.lengthOf(waiting, emails.length - first)
    assert.isTrue(waiting.every(({ rounds, claims }) => rounds === 0 && claims === 0))
    await eventually('all are sent', async () => {
      await reach(...ids)
      return server.mails.length === emails.length
    })
    const sent = await Notification.query().whereIn('id', ids).where({ status: 'sent' })
    assert.lengthOf(sent, emails.length)
    const deliveries = await Delivery.query().whereIn('notificationId', ids)
    assert.lengthOf(deliveries, 2 * emails.length)
    assert.isTrue(deliveries.every(({ status, attempts }) => status === 'sent' && attempts === 1))
    assert.isTrue(browsers.every(({ messages }) => messages.length === 1))
  })

  test('hides what was sensitive when it was accepted', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const version = { subject: 'Code {{code}}', body: '<p>{{code}}</p>' }
    const variables = [{ key: 'code', required: true, sensitive: true }]
    const template = await aTemplate(type, { en: version }, { variables })
    const recipientEmail = uniqueEmail()
    const data = { code: 'Zx81-Quark' }
    const { id } = await schedule(client, {
      recipientEmail,
      appCode: application.code,
      type: type.code,
      data,
    })
    await template.merge({ variables: [{ key: 'code', required: true }] }).save()

    const [sent] = await reach(id)
    assert.equal(sent.status, 'sent')
    assert.equal(smtp.mailsTo(recipientEmail)[0].parsed.subject, `Code ${data.code}`)
    const log = `/api/admin/notifications/log/${application.code}/${id}`
    const entry = await superAdmin(client).get(log)
    assert.containSubset(entry.body().data, { subject: 'Code ***', payload: { code: '***' } })
    const body = await superAdmin(client).get(`${log}/body`)
    assert.containSubset(body.body().data, { subject: 'Code ***', hidden: true })
  })

  test('is left to processes that can decrypt it, and fails if there are none', async ({
    assert,
    client,
  }) => {
    const { code: appCode } = await anApplication()
    const later = () => schedule(client, { recipientEmail: uniqueEmail(), appCode })
    const [left, ended] = [await later(), await later()]
    const { content } = (await findPendingSend(left.id))!
    const unreadable = async ({ id }: { id: number }, claims: number) =>
      (await findPendingSend(id))!.merge({ content: 'of.another.key', claims }).save()

    await unreadable(left, 0)
    await unreadable(ended, 5)
    const [waiting, failed] = await reach(left.id, ended.id)
    assert.equal(waiting.status, 'scheduled')
    assert.equal(failed.status, 'failed')
    assert.match(failed.statusReason!, /^RENDER_ERROR: the request cannot be decrypted/)
    assert.isNull(await findPendingSend(ended.id))

    await (await findPendingSend(left.id))!.merge({ content }).save()
    const [sent] = await reach(left.id)
    assert.equal(sent.status, 'sent')
  })

  test('returns the same response to a repeated request', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const fields = { recipientEmail: uniqueEmail(), appCode, sendAt: inHours(2) }
    const headers = { 'idempotency-key': uniqueCode() }
    const first = await schedule(client, fields, headers)
    await reach(first.id)
    assert.deepEqual(await schedule(client, fields, headers), first)
    assert.lengthOf(smtp.mailsTo(fields.recipientEmail), 1)
  })

  test('does not wait for all those of another application', async ({ assert, client }) => {
    const scheduleIn = async ({ code: appCode }: { code: string }) =>
      (await schedule(client, { recipientEmail: uniqueEmail(), appCode })).id
    const busy = await anApplication()
    const crowd = [await scheduleIn(busy), await scheduleIn(busy), await scheduleIn(busy)]
    const other = await scheduleIn(await anApplication())
    await makeDue(...crowd)
    // So that they are claimed one at a time.
    await PendingSend.query().whereIn('notificationId', crowd).update({ claims: 2 })
    assert.isTrue(await isRenderedSoon(other))
    const waiting = await PendingSend.query()
      .whereIn('notificationId', crowd)
      .where('prepared', false)
    assert.lengthOf(waiting, 2)
    await reach(...crowd, other)
  })

  test('does not wait for all those to another recipient', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const request = { appCode, type: 'generic', data: TEXT, sendAt: inHours(1) }
    const crowd: number[] = []
    const busy = uniqueEmail()
    for (let bulk = 0; bulk < 3; bulk++) {
      const notifications = Array.from({ length: 100 }, () => ({
        ...request,
        recipientEmail: busy,
      }))
      const response = await postInternalNotification(client, '/bulk', { notifications })
      crowd.push(...response.body().data.map(({ id }: { id: number }) => id))
    }
    const other = (await schedule(client, { recipientEmail: uniqueEmail(), appCode })).id
    await PendingSend.query()
      .whereIn('notificationId', crowd)
      .update({ due_at: toDatabaseTimestamp(LONG_AGO) })
    assert.isTrue(await isRenderedSoon(other))
    const { length } = await PendingSend.query()
      .whereIn('notificationId', crowd)
      .where('prepared', false)
    assert.isAbove(length, 200)
    await PendingSend.query().whereIn('notificationId', crowd).delete()
    await reach(other)
  })

  test('that is large is rendered with few others at a time', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const data = { ...TEXT, note: 'x'.repeat(900_000) }
    const ids: number[] = []
    for (let count = 0; count < 5; count++) {
      ids.push((await schedule(client, { recipientEmail: uniqueEmail(), appCode, data })).id)
    }
    await makeDue(...ids)
    const claimed = await claimRequests()
    assert.isAtLeast(claimed.length, 2)
    assert.isBelow(claimed.length, 5)
    await reach(...ids)
  })

  test('is exported and erased with its recipient', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const email = uniqueEmail()
    const { id, scheduledFor } = await schedule(client, { recipientEmail: email, appCode })
    const admin = superAdmin(client)
    const exported = await admin.get(`/api/users/${inPath(email)}/export`)
    const [entry] = exported.body().data.notifications
    assert.containSubset(entry, { id, status: 'scheduled', scheduledFor, payload: TEXT })
    const erased = await admin.delete(`/api/users/${inPath(email)}`)
    erased.assertStatus(204)
    assert.isNull(await findPendingSend(id))
    const notification = await Notification.findOrFail(id)
    assert.containSubset(notification.serialize(), {
      status: 'skipped',
      statusReason: 'RECIPIENT_ERASED',
      payload: {},
    })
    await reach(id)
    assert.isEmpty(smtp.mailsTo(email))
    assert.isNull(await User.findBy({ email }))
  })
})

test.group('A cancelled send', () => {
  const path = (id: number) => `/api/internal/notifications/${id}`

  test('is never sent, and cannot be cancelled again', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const email = uniqueEmail()
    const { id } = await schedule(client, { recipientEmail: email, appCode })
    const service = anotherService(client)
    const cancelled = { id, status: 'skipped', statusReason: 'CANCELLED' }
    const response = await service.delete(path(id))
    response.assertStatus(200)
    assert.deepEqual(response.body().data, cancelled)
    assert.isNull(await findPendingSend(id))
    const [notification] = await reach(id)
    assert.containSubset(notification.serialize(), cancelled)
    assert.isEmpty(smtp.mailsTo(email))
    const again = await service.delete(path(id))
    again.assertProblem(409, 'ALREADY_SENT')
    assert.equal(again.body().details.status, 'skipped')
    const sent = await sendNotification(client, {
      recipientEmail: email,
      appCode,
      type: 'generic',
      data: TEXT,
    })
    const tooLate = await service.delete(path(sent.body().data.id))
    tooLate.assertProblem(409, 'ALREADY_SENT')
    const unknown = await service.delete(path(2 ** 31 - 1))
    unknown.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
  })

  test('is cancelled by an administrator of its application', async ({ assert, client }) => {
    const [own, other] = [await anApplication(), await anApplication()]
    const { id } = await schedule(client, { recipientEmail: uniqueEmail(), appCode: own.code })
    const cancel = ({ code }: { code: string }) =>
      superAdmin(client).post(`/api/admin/notifications/log/${code}/${id}/cancel`)
    const foreign = await cancel(other)
    foreign.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    assert.isNotNull(await findPendingSend(id))
    const cancelled = await cancel(own)
    cancelled.assertStatus(200)
    const outcome = { id, status: 'skipped', statusReason: 'CANCELLED' }
    assert.deepEqual(cancelled.body().data, outcome)
    assert.isNull(await findPendingSend(id))
    const again = await cancel(own)
    again.assertProblem(409, 'ALREADY_SENT')
  })

  test('belongs to the application of the key', async ({ assert, client }) => {
    const [own, other] = [await anApplication(), await anApplication()]
    const { id } = await schedule(client, { recipientEmail: uniqueEmail(), appCode: own.code })
    const foreign = serverWith(client, (await aKeyOf(other)).text)
    for (const unseen of [id, 2 ** 31 - 1]) {
      const refused = await foreign.delete(`/notifications/${unseen}`)
      refused.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
    }
    assert.isNotNull(await findPendingSend(id))
    const cancelled = await serverWith(client, (await aKeyOf(own)).text).delete(
      `/notifications/${id}`
    )
    cancelled.assertStatus(200)
  })

  test('is sent or cancelled, never both, when both happen at once', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const email = uniqueEmail()
    const requests = Array.from({ length: 24 }, (_, index) => ({
      recipientEmail: email,
      appCode,
      type: 'generic',
      sendAt: inHours(1),
      data: { ...TEXT, subject: `Message ${index}` },
    }))
    const bulk = await postInternalNotification(client, '/bulk', { notifications: requests })
    const ids: number[] = bulk.body().data.map(({ id }: { id: number }) => id)
    await makeDue(...ids)
    const service = anotherService(client)
    const [statuses] = await Promise.all([
      Promise.all(ids.map(async (id) => (await service.delete(path(id))).status())),
      prepareDue().then(() => processDueSends()),
    ])
    await finishPendingRounds()
    const notifications = await reach(...ids)
    const cancelled = notifications.filter((_, index) => statuses[index] === 200)
    for (const one of cancelled) assert.equal(one.statusReason, 'CANCELLED')
    const sent = notifications.filter((_, index) => statuses[index] === 409)
    for (const one of sent) assert.equal(one.status, 'sent')
    assert.equal(cancelled.length + sent.length, ids.length)
    assert.sameMembers(
      smtp.mailsTo(email).map(({ parsed }) => parsed.subject),
      sent.map(({ subject }) => subject)
    )
  })
})
