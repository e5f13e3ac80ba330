import type { DeliveryChannel } from '#app/delivery/channels/delivery_channel'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'

/** Delivers into an array, for tests of whatever sends. */
export class FakeChannel implements DeliveryChannel {
  readonly isConfigured = true
  readonly delivered: OutgoingMessage[] = []

  async deliver(message: OutgoingMessage): Promise<DeliveryResult> {
    this.delivered.push(message)
    return { status: 'sent', attempts: 1, providerMessageId: message.reference, error: null }
  }
}
