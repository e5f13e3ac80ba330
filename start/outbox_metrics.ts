import { Gauge } from 'prom-client'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { PREFIX, registry } from '#core/metrics/registry'
import { workSources } from '#start/work_sources'

new Gauge({
  name: `${PREFIX}outbox_backlog`,
  help: 'Rows that wait to be worked on and are due, by source',
  labelNames: ['source'],
  registers: [registry],
  // Every worker reads the same tables.
  aggregator: 'max',
  async collect() {
    this.reset()
    for (const source of workSources) {
      try {
        const backlog = await source.backlog?.()
        if (backlog !== undefined) this.set({ source: source.name }, backlog)
      } catch (error) {
        logger.warn({ error: describeError(error) }, `The backlog of ${source.name} is not known`)
      }
    }
  },
})
