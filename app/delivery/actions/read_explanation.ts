import { type LogScope, findLogEntry } from '#app/delivery/actions/find_log_entry'
import type { DeliveryExplanation } from '#app/delivery/planning/delivery_explanation'
import { decodeExplanation } from '#app/delivery/planning/encoded_explanation'
import { withoutRecipient } from '#app/delivery/planning/without_recipient'
import { belongsToApplication } from '#app/permissions/actions/belongs_to_application'

export interface RecordedExplanation {
  id: number
  /** Null if none was recorded (delivery.md#recorded-explanations) */
  explanation: DeliveryExplanation | null
}

/**
 * @param seesEveryone otherwise, nothing is revealed about users outside the application
 * @throws NotificationNotFound, also for entries outside the scope
 */
export async function readExplanation(
  id: number,
  scope: LogScope,
  seesEveryone: boolean
): Promise<RecordedExplanation> {
  const { explanation: recorded, email, appCode } = await findLogEntry(id, scope)
  const explanation = recorded === null ? null : decodeExplanation(recorded)
  if (explanation === null) return { id, explanation }
  const isShown = seesEveryone || (await belongsToApplication(email, appCode))
  return { id, explanation: isShown ? explanation : withoutRecipient(explanation) }
}
