import type { Deadline } from '#core/values/deadline'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'

/**
 * Implementations never throw, and return soon after the deadline at the latest. After returning
 * `failed`, they must no longer deliver the message. Texts of the result may be recorded and shown
 * (delivery.md#texts-of-mail-servers).
 */
export interface DeliveryChannel<Message = OutgoingMessage> {
  readonly isConfigured: boolean
  deliver(message: Message, deadline: Deadline): Promise<DeliveryResult>
}
