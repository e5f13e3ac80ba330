import type { Deadline } from '#core/values/deadline'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'

/**
 * The seam between deciding that a person is told something and the world outside. A driver never throws, whatever the
 * other side does, and is back soon after the deadline at the latest. When it answers `failed` by then, it has given up: nothing is
 * delivered behind the record's back.
 */
export interface DeliveryChannel<Message = OutgoingMessage> {
  /** Whether this installation can deliver through the channel at all. */
  readonly isConfigured: boolean
  deliver(message: Message, deadline: Deadline): Promise<DeliveryResult>
}
