import type { DateTime } from 'luxon'
import Application from '#app/applications/models/application'
import { planFor } from '#app/delivery/actions/plan_for'
import { type RecipientDetails, readRecipientsOnly } from '#app/delivery/actions/read_recipients'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import { composeDigest, SENSITIVE_DIGEST_KEYS } from '#app/delivery/digests/compose_digest'
import { readDigestSecrets } from '#app/delivery/digests/read_digest_secrets'
import type { WaitingItems } from '#app/delivery/digests/read_digest_items'
import type Digest from '#app/delivery/models/digest'
import type { DeliveryStep } from '#app/delivery/planning/delivery_explanation'
import type { DeliveryPlan } from '#app/delivery/planning/delivery_plan'
import { encodeExplanation } from '#app/delivery/planning/encoded_explanation'
import { explainPlanned } from '#app/delivery/planning/explain_preparation'
import { type DeliveryOutcome, unfinishedReason } from '#app/delivery/values/delivery_outcome'
import {
  type NotificationRecord,
  notificationRecord,
} from '#app/delivery/values/notification_record'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import User from '#app/profiles/models/user'
import sendingConfig from '#config/sending'

/** A mail that is ready, why there is none, or until when it waits. */
export type PreparedDigest =
  | { record: NotificationRecord; recipientId: number; message: OutgoingMessage }
  | { refused: DeliveryOutcome }
  | { until: DateTime }

/** What a claimed digest depends on, as it is now. */
export type OpenedDigest = { digest: Digest } & (
  { refused: DeliveryOutcome } | { resolved: ResolvedRequest; details: RecipientDetails }
)

/** Reads users, applications, types and templates of several digests with one query each. */
export async function openDigests(digests: Digest[]): Promise<OpenedDigest[]> {
  const ids = (key: 'userId' | 'applicationId' | 'notificationTypeId') => [
    ...new Set(digests.map((digest) => digest[key])),
  ]
  const [users, applications, types] = await Promise.all([
    User.query().whereIn('id', ids('userId')),
    Application.query().whereIn('id', ids('applicationId')),
    NotificationType.query().whereIn('id', ids('notificationTypeId')),
  ])
  const [userOf, applicationOf, typeOf] = [byId(users), byId(applications), byId(types)]
  const opened = await Promise.all(
    digests.map(async (digest) => {
      const known = {
        user: userOf.get(digest.userId),
        application: applicationOf.get(digest.applicationId),
        type: typeOf.get(digest.notificationTypeId),
      }
      return { digest, ...(await resolve(digest, known)) }
    })
  )
  const resolved = opened.flatMap((each) => ('resolved' in each ? [each.resolved] : []))
  const details = await readRecipientsOnly(resolved)
  const detailsOf = new Map(resolved.map((each, index) => [each, details[index]]))
  return opened.map((each) => {
    if (!('resolved' in each)) return each
    const read = detailsOf.get(each.resolved)!
    // Erased since the user was read.
    if (read.user.id !== each.digest.userId) return { digest: each.digest, ...failed(ERASED) }
    return { ...each, details: read }
  })
}

const ERASED = 'RECIPIENT_ERASED'

interface Known {
  user?: User
  application?: Application
  type?: NotificationType
}

async function resolve(
  { claims }: Digest,
  { user, application, type }: Known
): Promise<{ refused: DeliveryOutcome } | { resolved: ResolvedRequest }> {
  if (claims > sendingConfig.maxRequestClaims) {
    return failed('RENDER_ERROR: several processes ended while they rendered the digest')
  }
  if (!user) return failed(ERASED)
  if (!application) return failed('APPLICATION_NOT_FOUND: the application was deleted')
  if (!type) return { refused: { status: 'skipped', statusReason: 'UNKNOWN_TYPE' } }
  const request = { recipientEmail: user.email, appCode: application.code, type: type.code }
  const template = await templateOf(type)
  return { resolved: { request, application, type, template, isSeparate: true } }
}

/** Null for the built-in one. */
async function templateOf({ id, digest }: NotificationType) {
  const key = digest?.templateKey ?? null
  if (key === null) return null
  const templates = await NotificationTemplate.cachedForType(id)
  return templates.find((template) => template.key === key) ?? null
}

/** Decides as for a mail of this moment, and renders it. */
export async function prepareDigest(
  { digest, ...opened }: OpenedDigest,
  items: WaitingItems
): Promise<PreparedDigest> {
  if ('refused' in opened) return opened
  const { resolved, details } = opened
  // Push messages were sent immediately.
  const plan = planFor(resolved, { ...details, subscriptions: [] })
  if (plan.skipped !== null) {
    return { refused: { status: 'skipped', statusReason: plan.skipped } }
  }
  const waitUntil = digest.waitUntil?.toMillis() ?? Number.POSITIVE_INFINITY
  if (plan.later !== null && Date.now() < waitUntil) return { until: plan.later.until }
  const steps = plan.steps.map((step) => (step.step === 'digest' ? digestStep(items) : step))
  return compose(resolved, details, { ...plan, steps, later: null }, items)
}

/** The mail is one, and so is not part of any. */
const digestStep = ({ ids }: WaitingItems): DeliveryStep => ({
  step: 'digest',
  outcome: 'skipped',
  evidence: { channel: 'email', size: ids.length },
})

async function compose(
  resolved: ResolvedRequest,
  details: RecipientDetails,
  plan: DeliveryPlan,
  items: WaitingItems
): Promise<PreparedDigest> {
  const composed = await composeDigest(resolved, details, items)
  const { mail, data, error, triedLocales, usesTemplate } = composed
  if (mail === null) return failed(error!)
  const { application, type } = resolved
  const template = usesTemplate ? resolved.template : null
  const explanation = explainPlanned({ ...resolved, template }, details, plan, {
    message: mail,
    error,
    triedLocales,
  })
  const { count, more } = data
  const record = notificationRecord(application, {
    email: details.user.email,
    type: type!.code,
    templateKey: template?.key ?? null,
    locale: mail.locale,
    subject: mail.recordedSubject,
    // Without the items, whose own entries the log has.
    payload: { count, more },
    templateSource: usesTemplate ? 'panel' : 'builtIn',
    sensitiveVariables: SENSITIVE_DIGEST_KEYS,
    digestSize: items.ids.length,
    explanation: encodeExplanation(explanation),
    status: 'failed',
    statusReason: unfinishedReason('email'),
  })
  const { user, brand } = details
  const message: OutgoingMessage = {
    ...mail,
    reference: '',
    application,
    type: type!,
    recipient: user,
    brand,
    subscriptions: [],
    data: {},
    secrets: await readDigestSecrets(data, items),
  }
  return { record, recipientId: user.id, message }
}

const failed = (statusReason: string) => ({ refused: { status: 'failed', statusReason } as const })

const byId = <Row extends { id: number }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]))
