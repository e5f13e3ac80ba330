import { DateTime } from 'luxon'
import Delivery from '#app/delivery/models/delivery'
import DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import { encodeExplanation } from '#app/delivery/planning/encoded_explanation'
import type { DeliveryExplanation } from '#app/delivery/planning/delivery_explanation'
import MailBounce from '#app/suppressions/models/mail_bounce'
import Suppression from '#app/suppressions/models/suppression'
import { aNotification } from '#tests/helpers/inbox'

interface Said {
  appCode: string
  email: string
  subject: string
  text: string
}

const DAY = { days: 1 }
const REFUSAL = '550 5.7.1 Message refused by policy'

/** What was decided about a mail that could not be pushed. */
const explanationOf = ({ appCode }: Said): DeliveryExplanation => ({
  decision: 'send',
  reason: null,
  channels: ['email'],
  scheduledFor: null,
  inInbox: true,
  steps: [
    { step: 'application', outcome: 'passed', evidence: { application: appCode } },
    { step: 'type', outcome: 'passed', evidence: { type: 'order-shipped', system: false } },
    { step: 'template', outcome: 'passed', evidence: { template: 'main', why: 'only' } },
    { step: 'variables', outcome: 'passed', evidence: { missing: [] } },
    { step: 'type', outcome: 'passed', evidence: { channel: 'email', enabled: true } },
    { step: 'type', outcome: 'passed', evidence: { channel: 'push', enabled: true } },
    { step: 'user', outcome: 'passed', evidence: {} },
    { step: 'notifications', outcome: 'passed', evidence: {} },
    {
      step: 'preference',
      outcome: 'passed',
      evidence: { channel: 'email', locked: false, own: null, used: true },
    },
    { step: 'reachability', outcome: 'passed', evidence: { channel: 'email' } },
    { step: 'reachability', outcome: 'stopped', evidence: { channel: 'push' } },
    { step: 'suppression', outcome: 'passed', evidence: { channel: 'email', reason: null } },
    {
      step: 'locale',
      outcome: 'passed',
      evidence: { wanted: 'cs-CZ', from: 'user', tried: ['cs-CZ', 'cs'], used: 'cs' },
    },
    { step: 'rendering', outcome: 'passed', evidence: {} },
    {
      step: 'sender',
      outcome: 'passed',
      evidence: { channel: 'email', address: 'shop@acme.example', account: 'platform' },
    },
  ],
})

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Refused by the mail server after an attempt that was deferred. */
export async function aFailedMessage(said: Said) {
  const { appCode, email, subject, text } = said
  const createdAt = DateTime.utc().minus({ minutes: 40 })
  const message = await aNotification(email, {
    appCode,
    subject,
    createdAt,
    status: 'failed',
    statusReason: `SMTP_ERROR: ${REFUSAL}`,
    bodyText: text,
    bodyHtml: `<h2>${escaped(subject)}</h2><p>${escaped(text)}</p>`,
    templateKey: 'main',
    templateSource: 'panel',
    payload: { order: { id: 4711, text } },
    explanation: encodeExplanation(explanationOf(said)),
  })
  const { id: notificationId } = message
  const of = { notificationId, channel: 'email' as const }
  await Delivery.create({ ...of, status: 'failed', attempts: 2, error: REFUSAL })
  await DeliveryAttempt.createMany([
    {
      ...of,
      outcome: 'deferred',
      code: 451,
      text: '451 4.7.1 Greylisted, try again later',
      at: createdAt.plus({ seconds: 2 }),
    },
    { ...of, outcome: 'rejected', code: 550, text: REFUSAL, at: createdAt.plus({ minutes: 5 }) },
  ])
  return message
}

/** One that was sent, one that was skipped, and one that waits for tomorrow. */
export async function otherMessages({ appCode, email, subject }: Said) {
  const sent = await aNotification(email, {
    appCode,
    subject,
    createdAt: DateTime.utc().minus(DAY),
  })
  await Delivery.create({ notificationId: sent.id, channel: 'email', status: 'sent', attempts: 1 })
  await aNotification(email, { appCode, subject, status: 'skipped', statusReason: 'NO_CHANNEL' })
  await aNotification(email, {
    appCode,
    subject: '',
    inInbox: false,
    status: 'scheduled',
    statusReason: 'SEND_AT',
    scheduledFor: DateTime.utc().plus(DAY),
  })
}

/** An address that gets no mail, after its mailbox was full and then gone. */
export async function someBounces(email: string, notificationId: number, text: string) {
  await MailBounce.createMany([
    { email, notificationId, kind: 'soft' },
    { email, notificationId, kind: 'hard' },
  ])
  const note = text.slice(0, 500)
  await Suppression.create({ email, notificationId, reason: 'hard_bounce', note })
}
