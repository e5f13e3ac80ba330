import { Counter } from 'prom-client'
import { PREFIX, registry } from '#core/metrics/registry'

export const deliveries = new Counter({
  name: `${PREFIX}deliveries_total`,
  help: 'Messages brought through a channel, or not',
  labelNames: ['channel', 'outcome'] as const,
  registers: [registry],
})
