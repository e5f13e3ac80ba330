import { Counter, Gauge } from 'prom-client'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'
import { decisions } from '#app/checks/decisions'

new Counter({
  name: `${METRIC_PREFIX}check_cache_decisions_total`,
  help: 'Decisions looked up in the cache, by result: hit or miss',
  labelNames: ['result'],
  registers: [registry],
  collect() {
    this.reset()
    this.inc({ result: 'hit' }, decisions.hits)
    this.inc({ result: 'miss' }, decisions.misses)
  },
})

new Gauge({
  name: `${METRIC_PREFIX}check_cache_size`,
  help: 'Decisions in the cache',
  registers: [registry],
  collect() {
    this.set(decisions.size)
  },
})
