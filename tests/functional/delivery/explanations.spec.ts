import { test } from '@japa/runner'
import fc from 'fast-check'
import { closeChannels } from '#app/delivery/channels'
import Delivery from '#app/delivery/models/delivery'
import Notification from '#app/notifications/models/notification'
import NotificationTemplate from '#app/notifications/models/notification_template'
import TemplateVersion from '#app/notifications/models/template_version'
import { reasonCode } from '#app/delivery/values/delivery_outcome'
import User from '#app/profiles/models/user'
import Suppression from '#app/suppressions/models/suppression'
import mailConfig from '#config/mail'
import { aKeyOf, serverWith } from '#tests/helpers/application_keys'
import {
  aTemplate,
  aType,
  postInternalNotification,
  sendNotification,
  subscribe,
} from '#tests/helpers/deliveries'
import { EXAMPLES, SECRET, type Scene, buildScene, scenes } from '#tests/helpers/explanations'
import { aNotification } from '#tests/helpers/inbox'
import { anotherService } from '#tests/helpers/internal'
import { TEXT } from '#tests/helpers/pending_sends'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { insertPeople } from '#tests/helpers/broadcasts'
import { quietHoursNow } from '#tests/helpers/quiet_hours'
import { reach, schedule } from '#tests/helpers/scheduled_sends'
import { smtp } from '#tests/world/prepare'
import { Browser, PushService } from '#tests/world/push_service'

const INTERNAL = '/api/internal/notifications'
const ADMIN = '/api/admin/notifications'

const STATUSES = { send: 'sent', schedule: 'scheduled', skip: 'skipped', fail: 'failed' } as const

/** Every reason for which a message is not sent at once that does not depend on servers. */
const REASONS = [
  null,
  'SEND_AT',
  'QUIET_HOURS',
  'DIGEST',
  'UNKNOWN_TYPE',
  'NOTIFICATIONS_DISABLED',
  'NO_CHANNEL',
  'RECIPIENT_SUPPRESSED',
  'NO_TEMPLATE',
  'RENDER_ERROR',
  'APPLICATION_NOT_FOUND',
  'VALIDATION_ERROR',
  'TEMPLATE_REQUIRED',
  'UNKNOWN_TEMPLATE',
  'MISSING_TEMPLATE_VARIABLES',
]

interface Step {
  step: string
  outcome: string
  detail: string
  evidence: Record<string, unknown>
}

interface Explained {
  decision: keyof typeof STATUSES | 'refuse'
  reason: string | null
  channels: string[]
  scheduledFor: string | null
  inInbox: boolean
  steps: Step[]
}

const stepOf = ({ steps }: { steps: Step[] }, name: string) =>
  steps.find(({ step }) => step === name)

test.group('An explanation of a send', () => {
  test('is what the send then does, and what is recorded of it', async ({
    assert,
    client,
    cleanup,
  }) => {
    const service = await new PushService().start()
    cleanup(() => service.stop())
    const application = await anApplication()
    const server = anotherService(client)
    const seen = { decisions: new Set<string>(), reasons: new Set<string | null>() }
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const body = await buildScene(scene, application, service)
        const { recipientEmail: email } = body
        const response = await postInternalNotification(client, '/explain', body)
        response.assertStatus(200)
        const explained = response.body().data as Explained
        seen.decisions.add(explained.decision)
        seen.reasons.add(explained.reason && reasonCode(explained.reason))
        assert.notInclude(response.text(), SECRET)
        assert.isEmpty(await Notification.query().where({ email }))
        if (!scene.user) assert.isNull(await User.findBy({ email }))

        const sent = await postInternalNotification(client, '', body)
        if (explained.decision === 'refuse') {
          assert.isTrue(sent.status() >= 400)
          const { code } = sent.body()
          assert.match(explained.reason!, new RegExp(`^${code}: `))
          const last = explained.steps.at(-1)!
          assert.containSubset(last, { outcome: 'stopped', evidence: { code } })
          return
        }
        const { id, status, statusReason, scheduledFor = null } = sent.body().data
        const expected = { status: STATUSES[explained.decision], statusReason: explained.reason }
        assert.deepEqual({ status, statusReason }, expected)
        assert.equal(scheduledFor, explained.scheduledFor)
        assert.equal((await Notification.findOrFail(id)).inInbox, explained.inInbox)
        if (status === 'sent') {
          const deliveries = await Delivery.query().where('notificationId', id)
          const used = deliveries.map(({ channel }) => channel as string)
          assert.sameMembers(used, explained.channels)
        }
        const after = await server.get(`${INTERNAL}/${id}/explain`)
        assert.deepEqual(after.body().data, { id, recorded: true, ...explained })
      }),
      { numRuns: 60, examples: EXAMPLES.map((scene): [Scene] => [scene]) }
    )
    assert.sameMembers([...seen.decisions], ['send', 'schedule', 'skip', 'fail', 'refuse'])
    assert.sameMembers([...seen.reasons], REASONS)
  }).timeout(120_000)

  test('says what was chosen and why, and stays as it was', async ({ assert, client }) => {
    const application = await anApplication({ name: 'Shop' })
    const type = await aType(application, { pushEnabled: false })
    const template = await aTemplate(type, { cs: { subject: 'Ahoj', body: '<p>Zde</p>' } })
    const email = uniqueEmail()
    const message = { recipientEmail: email, type: type.code, locale: 'cs-CZ', data: {} }
    const admin = superAdmin(client)
    const explain = await admin.post(`${ADMIN}/explain/${application.code}`, message)
    explain.assertStatus(200)
    const explained = explain.body().data as Explained
    assert.deepEqual(
      explained.steps.map(({ step, outcome }) => `${step} ${outcome}`),
      [
        'application passed',
        'type passed',
        'template passed',
        'variables passed',
        'type passed',
        'type stopped',
        'user passed',
        'notifications passed',
        'preference passed',
        'reachability passed',
        'suppression passed',
        'digest passed',
        'quiet_hours passed',
        'locale passed',
        'brand passed',
        'rendering passed',
        'sender passed',
      ]
    )
    assert.containSubset(stepOf(explained, 'template'), {
      detail: `${template.key} is the only template of the type.`,
      evidence: { template: template.key, why: 'only' },
    })
    assert.containSubset(stepOf(explained, 'locale'), {
      detail: 'The send asks for cs-CZ; tried: cs-cz; used: cs.',
      evidence: { wanted: 'cs-CZ', from: 'request', tried: ['cs-cz'], used: 'cs' },
    })
    assert.containSubset(stepOf(explained, 'brand'), { evidence: { why: 'default' } })
    assert.containSubset(stepOf(explained, 'sender'), { evidence: { account: 'platform' } })
    assert.isEmpty(smtp.mailsTo(email))

    const body = { ...message, appCode: application.code }
    const { id } = (await postInternalNotification(client, '', body)).body().data
    await type.merge({ emailEnabled: false }).save()
    await TemplateVersion.query().where('notificationTemplateId', template.id).delete()
    await NotificationTemplate.query().where('id', template.id).delete()
    await User.query().where({ email }).update({ active: false })
    const recorded = await admin.get(`${ADMIN}/log/${application.code}/${id}/explain`)
    assert.deepEqual(recorded.body().data, { id, recorded: true, ...explained })
    const { explanation } = await Notification.findOrFail(id)
    assert.isBelow(explanation!.length, 800)
  })

  test('says that a mail fails if there is no account to send it', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { smtp: account } = mailConfig
    mailConfig.smtp = null
    // A new connection would be needed.
    closeChannels()
    cleanup(() => void (mailConfig.smtp = account))
    const { code: appCode } = await anApplication()
    const message = { recipientEmail: uniqueEmail(), appCode, type: 'generic', data: TEXT }
    const response = await postInternalNotification(client, '/explain', message)
    const explained = response.body().data as Explained
    const { status, statusReason } = (await sendNotification(client, message)).body().data
    assert.deepEqual(
      [explained.decision, explained.reason],
      ['fail', 'SMTP_ERROR: no SMTP server is configured']
    )
    assert.deepEqual([status, statusReason], ['failed', explained.reason])
    assert.isEmpty(explained.channels)
    assert.equal(stepOf(explained, 'sender')!.outcome, 'stopped')

    const email = uniqueEmail()
    await subscribe(email, new Browser('https://push.example'))
    const pushed = await postInternalNotification(client, '/explain', {
      ...message,
      recipientEmail: email,
    })
    assert.containSubset(pushed.body().data, { decision: 'send', reason: null })
  })

  test('is recorded again when a send for later falls due', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const email = uniqueEmail()
    const server = anotherService(client)
    const explain = async (id: number) =>
      (await server.get(`${INTERNAL}/${id}/explain`)).body().data as Explained
    const { id } = await schedule(client, { recipientEmail: email, appCode })
    const before = await explain(id)
    assert.include(before, { decision: 'schedule', reason: 'SEND_AT' })
    assert.equal(stepOf(before, 'send_at')!.outcome, 'deferred')
    await User.query().where({ email }).update({ active: false })
    await reach(id)
    const after = await explain(id)
    assert.equal(after.decision, 'skip')
    assert.match(after.reason!, /^NOTIFICATIONS_DISABLED/)
    assert.equal(stepOf(after, 'user')!.outcome, 'stopped')
  })

  test('says nothing to administrators of an application about users of others', async ({
    assert,
    client,
  }) => {
    const [own, other] = [await anApplication(), await anApplication()]
    const [member, stranger, nobody] = [uniqueEmail(), uniqueEmail(), uniqueEmail()]
    await insertPeople(own, [member])
    await insertPeople(other, [stranger])
    for (const email of [member, stranger]) {
      const quietHours = JSON.stringify(quietHoursNow())
      await User.query().where({ email }).update({ locale: 'cs', quiet_hours: quietHours })
    }
    await Suppression.create({ email: stranger, reason: 'hard_bounce' })
    const viewer = signedIn(client, await panelPerson(client, { [own.code]: 'view' }))
    const explainTo = async (caller: typeof viewer, recipientEmail: string) => {
      const message = { recipientEmail, type: 'generic', data: TEXT }
      const response = await caller.post(`${ADMIN}/explain/${own.code}`, message)
      response.assertStatus(200)
      return response.body().data as Explained
    }
    const unknown = await explainTo(viewer, nobody)
    assert.equal(unknown.decision, 'send')
    assert.deepEqual(await explainTo(viewer, stranger), unknown)
    assert.equal((await explainTo(viewer, member)).reason, 'QUIET_HOURS')
    const globalAdmin = signedIn(client, await panelPerson(client, {}, { globally: 'edit' }))
    const known = await explainTo(globalAdmin, stranger)
    assert.equal(stepOf(known, 'suppression')!.outcome, 'stopped')
  })

  test('is shown only to those who see the message, and says if none was recorded', async ({
    assert,
    client,
  }) => {
    const [own, other] = [await anApplication(), await anApplication()]
    const { id } = await aNotification(uniqueEmail(), { appCode: own.code })
    const admin = superAdmin(client)
    const server = serverWith(client, (await aKeyOf(own)).text)
    const recorded = await server.get(`/notifications/${id}/explain`)
    const nothing = { channels: [], steps: [], scheduledFor: null, inInbox: null }
    const expected = { id, recorded: false, decision: null, reason: null, ...nothing }
    assert.deepEqual(recorded.body().data, expected)

    const elsewhere = await admin.get(`${ADMIN}/log/${other.code}/${id}/explain`)
    elsewhere.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    const foreign = serverWith(client, (await aKeyOf(other)).text)
    for (const unseen of [id, 2_000_000_000]) {
      const refused = await foreign.get(`/notifications/${unseen}/explain`)
      refused.assertStatus(403)
      assert.equal(refused.body().code, 'KEY_NOT_FOR_APPLICATION')
    }
    const message = { recipientEmail: uniqueEmail(), appCode: own.code, type: 'generic' }
    const refused = await foreign.post(`/notifications/explain`, { ...message, data: TEXT })
    refused.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
  })
})
