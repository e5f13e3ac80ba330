import { Counter } from 'prom-client'
import { PREFIX, registry } from '#core/metrics/registry'

export const deliveries = new Counter({
  name: `${PREFIX}deliveries_total`,
  help: 'Deliveries by channel and outcome',
  labelNames: ['channel', 'outcome'] as const,
  registers: [registry],
})
