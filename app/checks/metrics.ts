import { Counter, Gauge } from 'prom-client'
import { PREFIX, registry } from '#core/metrics/registry'
import { decisions } from '#app/checks/decisions'

new Counter({
  name: `${PREFIX}check_cache_decisions_total`,
  help: 'Decisions asked of the cache: those it had (hit) and those it had to ask the database for (miss)',
  labelNames: ['result'],
  registers: [registry],
  collect() {
    this.reset()
    this.inc({ result: 'hit' }, decisions.hits)
    this.inc({ result: 'miss' }, decisions.misses)
  },
})

new Gauge({
  name: `${PREFIX}check_cache_size`,
  help: 'Remembered decisions',
  registers: [registry],
  collect() {
    this.set(decisions.size)
  },
})
