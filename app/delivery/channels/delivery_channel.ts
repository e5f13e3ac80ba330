import type { Deadline } from '#core/values/deadline'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'

/**
 * An implementation never throws and returns soon after the deadline at the latest. After it returns
 * `failed`, it must not deliver the message any more.
 */
export interface DeliveryChannel<Message = OutgoingMessage> {
  readonly isConfigured: boolean
  deliver(message: Message, deadline: Deadline): Promise<DeliveryResult>
}
