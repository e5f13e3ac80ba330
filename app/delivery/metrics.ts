import { Counter } from 'prom-client'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'

export const deliveries = new Counter({
  name: `${METRIC_PREFIX}deliveries_total`,
  help: 'Deliveries by channel and outcome',
  labelNames: ['channel', 'outcome'] as const,
  registers: [registry],
})
