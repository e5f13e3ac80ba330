import { Counter, Gauge } from 'prom-client'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'
import { decisionLog } from '#app/checks/decision_log'
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

new Counter({
  name: `${METRIC_PREFIX}decision_log_lost_total`,
  help: 'Lines of the decision log that were lost',
  registers: [registry],
  collect() {
    this.reset()
    this.inc(decisionLog.lost)
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
