import { Problem } from '#core/exceptions/problem'
import { Overloaded } from '#core/exceptions/problems'
import { Deadline } from '#core/values/deadline'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { prepareNotificationBatch } from '#app/delivery/actions/prepare_notifications'
import {
  type RecipientDetails,
  imagineStranger,
  readRecipientsOnly,
} from '#app/delivery/actions/read_recipients'
import {
  type FoundRequest,
  type ResolvedRequest,
  resolveFound,
} from '#app/delivery/actions/resolve_requests'
import {
  BATCH_LIMITS,
  MAX_MESSAGE_SIZE,
  budgetHolder,
  messageBudget,
} from '#app/delivery/message_budget'
import type { DeliveryExplanation } from '#app/delivery/planning/delivery_explanation'
import { explainRefusal } from '#app/delivery/planning/explain_preparation'
import type { NotificationRequest } from '#app/delivery/values/notification_request'
import { belongsToApplication } from '#app/permissions/actions/belongs_to_application'
import mailConfig from '#config/mail'

interface Explained {
  caller: InternalCaller
  /** In the message budget */
  holder?: string
  /** Otherwise, nothing is revealed about users who do not belong to the application. */
  seesEveryone: boolean
}

/**
 * Prepares a message as a send does, and discards it (delivery.md#explanations).
 * @throws KeyNotForApplication, Overloaded
 */
export async function explainSend(
  request: NotificationRequest,
  { caller, holder = budgetHolder(caller), seesEveryone }: Explained
): Promise<DeliveryExplanation> {
  const resolved = await resolveOrExplain(request, caller)
  if ('decision' in resolved) return resolved
  // Rendering takes memory, even if the message is discarded.
  const deadline = new Deadline(mailConfig.singleBudgetMs)
  const reservation = await messageBudget.reserve(holder, MAX_MESSAGE_SIZE, deadline)
  if (reservation === null) throw new Overloaded({ headers: { 'retry-after': '5' } })
  try {
    const recipients = new Map<ResolvedRequest, RecipientDetails>()
    if (resolved.type !== null) recipients.set(resolved, await readOne(resolved, seesEveryone))
    const [prepared] = await prepareNotificationBatch([resolved], recipients, BATCH_LIMITS)
    return prepared.explanation!
  } finally {
    reservation.release()
  }
}

async function readOne(resolved: ResolvedRequest, seesEveryone: boolean) {
  const { recipientEmail, appCode } = resolved.request
  const isShown = seesEveryone || (await belongsToApplication(recipientEmail, appCode))
  if (!isShown) return imagineStranger(resolved)
  const [details] = await readRecipientsOnly([resolved])
  return details
}

async function resolveOrExplain(
  request: NotificationRequest,
  caller: InternalCaller
): Promise<ResolvedRequest | DeliveryExplanation> {
  const found: FoundRequest = { request }
  try {
    return await resolveFound(found, caller)
  } catch (error) {
    if (error instanceof Problem) return explainRefusal({ problem: error, found }, 'refuse')
    throw error
  }
}
