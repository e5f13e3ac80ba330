import type { Deadline } from '#core/values/deadline'
import type { DeliveryChannel } from '#app/delivery/channels/delivery_channel'
import { attemptNow } from '#app/delivery/values/attempt_report'
import { type DeliveryResult, failedDelivery } from '#app/delivery/values/delivery_result'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'

export class FakeChannel implements DeliveryChannel {
  readonly isConfigured = true
  readonly delivered: OutgoingMessage[] = []
  failure: string | null = null

  async deliver(message: OutgoingMessage, deadline: Deadline): Promise<DeliveryResult> {
    if (deadline.hasPassed) return failedDelivery('no time was left')
    if (this.failure !== null) {
      return failedDelivery(this.failure, [attemptNow('rejected', null, this.failure)])
    }
    this.delivered.push(message)
    return {
      status: 'sent',
      attempts: [attemptNow('accepted')],
      providerMessageId: message.reference,
      error: null,
    }
  }
}
