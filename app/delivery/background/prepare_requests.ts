import Application from '#app/applications/models/application'
import {
  type RecipientsByRequest,
  prepareNotificationBatch,
} from '#app/delivery/actions/prepare_notifications'
import { readRecipientsOnly } from '#app/delivery/actions/read_recipients'
import {
  type Refusal,
  type ResolvedRequest,
  resolveOrRefuse,
} from '#app/delivery/actions/resolve_requests'
import type { DueRequest, RefusedRequest } from '#app/delivery/actions/store_prepared'
import { BATCH_LIMITS } from '#app/delivery/message_budget'
import type PendingSend from '#app/delivery/models/pending_send'
import { encodeExplanation } from '#app/delivery/planning/encoded_explanation'
import { explainRefusal } from '#app/delivery/planning/explain_preparation'
import { refusalReason } from '#app/delivery/planning/resolution_steps'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { NotificationRequest } from '#app/delivery/values/notification_request'
import { type PendingRequest, decryptRequest } from '#app/delivery/values/pending_request'
import User from '#app/profiles/models/user'
import sendingConfig from '#config/sending'

/**
 * Renders claimed requests as sends of this moment, in batches that fit into memory. Those that it
 * cannot decrypt are claimed again when their claim ends: another process may have the key.
 */
export async function* prepareRequests(claimed: PendingSend[]): AsyncGenerator<DueRequest[]> {
  const opened = await open(claimed)
  const refused = opened.flatMap(({ pending, resolved: result }) =>
    isRefusal(result) ? [{ pending, result }] : []
  )
  if (refused.length > 0) yield refused
  const accepted = opened.flatMap(({ pending, resolved }) =>
    isRefusal(resolved) ? [] : [{ pending, resolved }]
  )
  const recipients = await readKnownRecipients(accepted.map(({ resolved }) => resolved))
  for (let rest = accepted; rest.length > 0;) {
    const batch = await prepareNext(rest, recipients)
    yield batch
    rest = rest.slice(batch.length)
  }
}

/** Users who are erased in the meantime stay erased, and their requests are deleted. */
async function readKnownRecipients(requests: ResolvedRequest[]): Promise<RecipientsByRequest> {
  const known = requests.filter(({ type }) => type !== null)
  const details = await readRecipientsOnly(known)
  return new Map(known.map((request, index) => [request, details[index]]))
}

interface Accepted {
  pending: PendingSend
  resolved: ResolvedRequest
}

async function prepareNext(rest: Accepted[], recipients: RecipientsByRequest) {
  const requests = rest.map(({ resolved }) => resolved)
  const prepared = await prepareNotificationBatch(requests, recipients, BATCH_LIMITS)
  return prepared.map((result, index) => ({ pending: rest[index].pending, result }))
}

/** Whether each can still be sent: its recipient, application, type and template are there. */
async function open(claimed: PendingSend[]) {
  const opened = claimed
    .map((pending) => ({ pending, content: decryptRequest(pending.content) }))
    .filter(({ pending, content }) => content !== null || hasNoClaimLeft(pending))
  const userIds = opened.flatMap(({ content }) => content?.userId ?? [])
  const applicationIds = opened.flatMap(({ content }) => content?.applicationId ?? [])
  const [users, applications] = await Promise.all([
    User.query().whereIn('id', userIds),
    Application.query().whereIn('id', applicationIds),
  ])
  const codes = new Map(applications.map(({ id, code }) => [id, code]))
  const emails = new Map(users.map(({ id, email }) => [id, email]))
  const requests = opened.map(({ pending, content }) =>
    readRequest(pending, content, { emails, codes })
  )
  const usable = requests.flatMap((request) => (isRefusal(request) ? [] : [request]))
  const resolved = await resolveOrRefuse(usable, { kind: 'platform' })
  const results = new Map(usable.map((request, index) => [request, resolved[index]]))
  return opened.map(({ pending, content }, index) => {
    const request = requests[index]
    if (isRefusal(request)) return { pending, resolved: request }
    const result = withoutProblem(results.get(request)!)
    const sensitiveBefore = content?.sensitiveVariables
    return { pending, resolved: isRefusal(result) ? result : { ...result, sensitiveBefore } }
  })
}

function withoutProblem(resolved: ResolvedRequest | Refusal): ResolvedRequest | RefusedRequest {
  if (!('problem' in resolved)) return resolved
  const explanation = encodeExplanation(explainRefusal(resolved, 'fail'))
  return { ...refusal(refusalReason(resolved.problem)), explanation }
}

interface Known {
  emails: Map<number, string>
  /** The code of a deleted application can be used again */
  codes: Map<number, string>
}

const hasNoClaimLeft = ({ claims }: PendingSend) => claims > sendingConfig.maxRequestClaims

function readRequest(
  pending: PendingSend,
  content: PendingRequest | null,
  { emails, codes }: Known
): NotificationRequest | DeliveryOutcome {
  if (content === null) {
    return refusal('RENDER_ERROR: the request cannot be decrypted with the current APP_KEY')
  }
  if (hasNoClaimLeft(pending)) {
    return refusal('RENDER_ERROR: several processes ended while they rendered it')
  }
  const appCode = codes.get(content.applicationId)
  if (appCode === undefined) return refusal('APPLICATION_NOT_FOUND: the application was deleted')
  const recipientEmail = emails.get(content.userId)
  if (recipientEmail === undefined) return refusal('RECIPIENT_ERASED')
  return { ...content.request, appCode, recipientEmail }
}

const refusal = (statusReason: string): DeliveryOutcome => ({ status: 'failed', statusReason })

const isRefusal = <T extends object>(value: T | DeliveryOutcome): value is DeliveryOutcome =>
  'statusReason' in value
