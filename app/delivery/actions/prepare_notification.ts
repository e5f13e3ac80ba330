import type { DateTime } from 'luxon'
import { composeForRecipient } from '#app/delivery/actions/compose_for_recipient'
import { planFor } from '#app/delivery/actions/plan_for'
import type { RecipientDetails } from '#app/delivery/actions/read_recipients'
import type { AddressedRecord } from '#app/delivery/actions/record_notifications'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import { sensitiveKeysOf } from '#app/delivery/actions/sensitive_keys_of'
import type { DigestEntry } from '#app/delivery/digests/add_to_digests'
import { encryptDigestContent } from '#app/delivery/digests/digest_content'
import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryExplanation } from '#app/delivery/planning/delivery_explanation'
import type { DeliveryPlan } from '#app/delivery/planning/delivery_plan'
import { encodeExplanation } from '#app/delivery/planning/encoded_explanation'
import { explainPlanned, explainUnplanned } from '#app/delivery/planning/explain_preparation'
import { unfinishedReason } from '#app/delivery/values/delivery_outcome'
import {
  type NotificationRecord,
  notificationRecord,
} from '#app/delivery/values/notification_record'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import type { PendingRequest } from '#app/delivery/values/pending_request'
import type { ComposedMessage } from '#app/notifications/actions/compose_message'
import { missingMessageFields } from '#app/notifications/values/missing_message_fields'
import { sensitiveTexts } from '#app/notifications/values/sensitive_variables'
import { unsubscribeUrlFor } from '#app/notifications/values/unsubscribe_token'
import Language from '#app/platform/models/language'
import { DEFAULT_LOCALE, enabledLocale } from '#app/platform/values/choose_locale'

/** Planned and, unless it is a request for later, rendered, but neither recorded nor sent. */
export interface PreparedNotification extends AddressedRecord {
  /** What `record.explanation` says. Null if nothing was decided about the recipient. */
  explanation: DeliveryExplanation | null
  channels: Channel[]
  /** What is stored instead of a message, to be rendered when `record.scheduledFor` has come */
  request: PendingRequest | null
  /** The mail, if it becomes a part of a digest */
  digest: DigestEntry | null
  /** Must not be called if there are no channels */
  outgoing: (reference: string) => OutgoingMessage
  /** In characters */
  size: number
}

/** @param details null if the application does not have the type */
export async function prepareNotification(
  resolved: ResolvedRequest,
  details: RecipientDetails | null
): Promise<PreparedNotification> {
  if (details === null) {
    const outcome = { status: 'skipped', statusReason: 'UNKNOWN_TYPE', inInbox: false } as const
    const explanation = explainUnplanned(resolved, outcome)
    const locale = await wantedLocale(resolved)
    return unsentNotification(recordOf(resolved, null, locale, outcome), explanation)
  }
  if (resolved.sendAt) return prepareRequest(resolved, resolved.sendAt, details)
  const plan = planFor(resolved, details)
  const unsubscribeUrl = unsubscribeUrlFor(details.user, resolved.type!)
  const composed = await composeForRecipient(resolved, details, unsubscribeUrl)
  const { message, error } = composed
  const outcome = initialOutcome(plan, error)
  const explanation = explainPlanned(resolved, details, plan, composed)
  const locale = message?.locale ?? (await wantedLocale(resolved, details))
  const record = recordOf(resolved, message, locale, outcome)
  const recipientId = details.user.id
  if (message === null) return { ...unsentNotification(record, explanation), recipientId }
  record.explanation = encodeExplanation(explanation)
  const outgoing = (reference: string) => ({
    reference,
    application: resolved.application,
    type: resolved.type!,
    recipient: details.user,
    brand: details.brand,
    subscriptions: details.subscriptions,
    data: resolved.request.data ?? {},
    unsubscribeUrl,
    secrets: sensitiveTexts(resolved.request.data ?? {}, record.sensitiveVariables),
    ...message,
  })
  const size = plan.channels.length === 0 ? 0 : message.html.length + message.text.length
  const { channels: planned } = plan
  const digest = digestEntryOf(resolved, details, plan, message)
  const common = { record, recipientId, explanation, digest }
  return { ...common, channels: planned, request: null, outgoing, size }
}

function digestEntryOf(
  resolved: ResolvedRequest,
  { user, digest }: RecipientDetails,
  { inDigest }: DeliveryPlan,
  message: ComposedMessage
): DigestEntry | null {
  if (!inDigest || digest === null) return null
  return {
    userId: user.id,
    applicationId: resolved.application.id,
    typeId: resolved.type!.id,
    dueAt: digest.dueAt,
    content: encryptDigestContent(resolved, message),
  }
}

/** Without a plan, because preferences may change until then. */
async function prepareRequest(
  resolved: ResolvedRequest,
  sendAt: DateTime,
  details: RecipientDetails
): Promise<PreparedNotification> {
  const { application, template, request } = resolved
  const { user } = details
  const { type, data } = request
  const isEmpty = template === null && missingMessageFields(data ?? {}).length > 0
  const outcome = isEmpty
    ? ({ status: 'failed', statusReason: 'NO_TEMPLATE', inInbox: false } as const)
    : ({ ...scheduled({ until: sendAt, reason: 'SEND_AT' }), inInbox: false } as const)
  const explanation = explainUnplanned(resolved, outcome)
  const locale = await wantedLocale(resolved, details)
  const record = recordOf(resolved, null, locale, outcome)
  const unsent = unsentNotification(record, explanation)
  if (isEmpty) return { ...unsent, recipientId: user.id }
  const stored = { type, template: template?.key ?? request.template, data, locale: request.locale }
  return {
    ...unsent,
    recipientId: user.id,
    request: {
      userId: user.id,
      applicationId: application.id,
      request: stored,
      sensitiveVariables: record.sensitiveVariables,
    },
  }
}

export function unsentNotification(
  record: NotificationRecord,
  explanation: DeliveryExplanation | null = null
): PreparedNotification {
  const explained = { ...record, explanation: explanation && encodeExplanation(explanation) }
  const nothing = {
    channels: [],
    request: null,
    digest: null,
    outgoing: failWithoutChannels,
    size: 0,
  }
  return { record: explained, recipientId: null, explanation, ...nothing }
}

function failWithoutChannels(): never {
  throw new Error('A notification without channels has no outgoing message')
}

/** The outcome until the delivery is recorded, so also the final one if the process dies. */
function initialOutcome(plan: DeliveryPlan, error: string | null) {
  const { skipped, channels: planned, inInbox, later } = plan
  if (skipped !== null) return { status: 'skipped', statusReason: skipped, inInbox } as const
  if (error !== null) return { status: 'failed', statusReason: error, inInbox } as const
  if (later !== null) return { ...scheduled(later), inInbox } as const
  return { status: 'failed', statusReason: unfinishedReason(planned[0]), inInbox } as const
}

export const scheduled = ({ until, reason }: { until: DateTime; reason: string }) =>
  ({ status: 'scheduled', statusReason: reason, scheduledFor: until }) as const

/** What a notification without a message would have been written in. */
function wantedLocale({ request }: ResolvedRequest, details?: RecipientDetails): Promise<string> {
  const wanted = request.locale ?? details?.user.locale ?? DEFAULT_LOCALE
  return enabledLocale(wanted, () => Language.registry())
}

function recordOf(
  resolved: ResolvedRequest,
  message: ComposedMessage | null,
  locale: string,
  outcome: Pick<NotificationRecord, 'status' | 'statusReason' | 'inInbox'> &
    Partial<Pick<NotificationRecord, 'scheduledFor'>>
): NotificationRecord {
  const { request, application, template, broadcastId } = resolved
  const { data: payload = {} } = request
  return notificationRecord(application, {
    email: request.recipientEmail,
    type: request.type,
    templateKey: template?.key ?? request.template ?? null,
    locale,
    subject: message?.recordedSubject ?? '',
    payload,
    broadcastId: broadcastId ?? null,
    templateSource: message && (template ? 'panel' : 'data'),
    sensitiveVariables: sensitiveKeysOf(resolved),
    bodyText: outcome.inInbox && message ? message.inboxBody.text : null,
    bodyHtml: outcome.inInbox && message ? message.inboxBody.html : null,
    ...outcome,
  })
}
