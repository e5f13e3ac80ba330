import type { Deadline } from '#core/values/deadline'
import { channels } from '#app/delivery/channels'
import { deliveries } from '#app/delivery/metrics'
import type { Channel } from '#app/delivery/models/delivery'
import { outcomeOf } from '#app/delivery/values/delivery_outcome'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'

export async function deliver(message: OutgoingMessage, planned: Channel[], deadline: Deadline) {
  const results = await Promise.all(
    planned.map(async (channel) => {
      const result = await channels[channel].deliver(message, deadline)
      deliveries.inc({ channel, outcome: result.status })
      return [channel, result] as const
    })
  )
  const byChannel = new Map(results)
  return { results: byChannel, outcome: outcomeOf(byChannel) }
}
