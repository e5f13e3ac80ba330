import { Counter } from 'prom-client'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'

export const attempts = new Counter({
  name: `${METRIC_PREFIX}webhook_attempts_total`,
  help: 'Attempts to send an event to a webhook, by outcome',
  labelNames: ['outcome'] as const,
  registers: [registry],
})

export const droppedEvents = new Counter({
  name: `${METRIC_PREFIX}webhook_events_dropped_total`,
  help: 'Events that were dropped because too many waited for a webhook',
  registers: [registry],
})
