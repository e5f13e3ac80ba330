import { Problem } from '#core/exceptions/problem'
import { Overloaded } from '#core/exceptions/problems'
import { Deadline } from '#core/values/deadline'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { prepareNotificationBatch } from '#app/delivery/actions/prepare_notifications'
import { readRecipientsOnly } from '#app/delivery/actions/read_recipients'
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
import mailConfig from '#config/mail'

/**
 * Prepares a message as a send does, and forgets it (delivery.md#explanations).
 * @throws KeyNotForApplication, Overloaded
 */
export async function explainSend(
  request: NotificationRequest,
  caller: InternalCaller
): Promise<DeliveryExplanation> {
  const resolved = await resolveOrExplain(request, caller)
  if ('decision' in resolved) return resolved
  // Rendering takes memory, also of a message that is then forgotten.
  const deadline = new Deadline(mailConfig.singleBudgetMs)
  const reservation = await messageBudget.reserve(budgetHolder(caller), MAX_MESSAGE_SIZE, deadline)
  if (reservation === null) throw new Overloaded({ headers: { 'retry-after': '5' } })
  try {
    const known = resolved.type === null ? [] : await readRecipientsOnly([resolved])
    const recipients = new Map(known.map((details) => [resolved, details]))
    const [prepared] = await prepareNotificationBatch([resolved], recipients, BATCH_LIMITS)
    return prepared.explanation!
  } finally {
    reservation.release()
  }
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
