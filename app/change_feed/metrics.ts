import { Gauge } from 'prom-client'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'
import { changeFeed } from '#app/change_feed/stream/change_feed'

new Gauge({
  name: `${METRIC_PREFIX}change_feed_streams`,
  help: 'Open streams of the change feed',
  registers: [registry],
  collect() {
    this.set(changeFeed.size)
  },
})
