import type { FinalOutcome, OutcomeOutbox } from '#app/delivery/outcome_outbox'
import { reasonCode } from '#app/delivery/values/delivery_outcome'
import { type AddressedEvent, storeEvents } from '#app/webhooks/actions/store_events'
import type { Executor } from '#app/webhooks/queries/executor'
import {
  type OutcomeRow,
  readChannelOutcomes,
  readOutcomeRows,
} from '#app/webhooks/queries/outcome_rows'
import { type Subscription, listensTo, subscriptions } from '#app/webhooks/subscriptions'
import type { ChannelOutcome } from '#app/webhooks/values/event_data'
import { type EventType, NOTIFICATION_EVENTS } from '#app/webhooks/values/event_types'

/** Turns outcomes of notifications into events. */
export const notificationOutbox: OutcomeOutbox = {
  mayWant: () => subscriptions.mayWant(NOTIFICATION_EVENTS),

  async store(outcomes: FinalOutcome[], executor: Executor) {
    const listening = (await subscriptions.read(executor)).filter(({ events }) =>
      NOTIFICATION_EVENTS.some((type) => events.has(type))
    )
    if (listening.length === 0) return
    const ids = outcomes.map(({ id }) => id)
    const rows = await readOutcomeRows(ids, executor)
    const wanted = rows.flatMap((row) => {
      const outcome = outcomes.find(({ id }) => id === row.id)!
      return listening
        .filter((one) => listensTo(one, typeOf(outcome), row))
        .map((one) => ({ one, row, outcome }))
    })
    if (wanted.length === 0) return
    const channels = await readChannelOutcomes(ids, executor)
    const events = wanted.map(({ one, row, outcome }) =>
      eventOf(one, row, outcome, channels.get(row.id) ?? [])
    )
    await storeEvents(events, executor)
  },
}

const typeOf = ({ outcome }: FinalOutcome) => `notification.${outcome.status}` as EventType

function eventOf(
  { webhookId, application }: Subscription,
  { id, email, type, broadcastId }: OutcomeRow,
  outcome: FinalOutcome,
  channels: ChannelOutcome[]
): AddressedEvent {
  const reason = reasonCode(outcome.outcome.statusReason)
  return {
    webhookId,
    type: typeOf(outcome),
    email,
    data: {
      application,
      notificationId: id,
      type,
      recipientEmail: email,
      reason,
      channels,
      broadcastId,
    },
  }
}
