import { LRUCache } from 'lru-cache'
import { Gauge } from 'prom-client'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'
import type { WorkSource } from '#core/background/work_source'
import { workSources } from '#core/background/work_sources'

/** How long a count is cached, and how long a query may take. */
const CACHE_MS = 5_000
const TIMEOUT_MS = 1_000

const backlogs = new LRUCache<WorkSource, number>({
  max: 100,
  ttl: CACHE_MS,
  fetchMethod: (source) => source.backlog?.(),
})

new Gauge({
  name: `${METRIC_PREFIX}outbox_backlog`,
  help: 'Due rows that are waiting to be processed, by source',
  labelNames: ['source'],
  registers: [registry],
  // All workers count the same tables.
  aggregator: 'max',
  async collect() {
    const counted = workSources.filter(({ backlog }) => backlog !== undefined)
    const rows = await Promise.all(counted.map(countBacklog))
    this.reset()
    for (const [index, { name }] of counted.entries()) {
      const count = rows[index]
      if (count !== undefined) this.set({ source: name }, count)
    }
  },
})

/** Undefined if the query fails, so that the other metrics remain available. */
async function countBacklog(source: WorkSource): Promise<number | undefined> {
  try {
    return await backlogs.fetch(source, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch (error) {
    logger.warn({ error: describeError(error) }, `Counting the backlog of ${source.name} failed`)
    return undefined
  }
}
