import { Counter } from 'prom-client'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'

export const bounceReports = new Counter({
  name: `${METRIC_PREFIX}bounce_reports_total`,
  help: 'Mails to the SMTP listener for reports, by what they reported',
  labelNames: ['kind'] as const,
  registers: [registry],
})
