import { type LogScope, findLogEntry } from '#app/delivery/actions/find_log_entry'
import type { DeliveryExplanation } from '#app/delivery/planning/delivery_explanation'
import { decodeExplanation } from '#app/delivery/planning/encoded_explanation'

export interface RecordedExplanation {
  id: number
  /** Null if none was recorded (delivery.md#recorded-explanations) */
  explanation: DeliveryExplanation | null
}

/** @throws NotificationNotFound, also for entries outside the scope */
export async function readExplanation(id: number, scope: LogScope): Promise<RecordedExplanation> {
  const { explanation } = await findLogEntry(id, scope)
  return { id, explanation: explanation === null ? null : decodeExplanation(explanation) }
}
