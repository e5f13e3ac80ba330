import { Gauge } from 'prom-client'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'
import { inboxStreams } from '#app/inbox/stream/inbox_streams'

new Gauge({
  name: `${METRIC_PREFIX}inbox_streams`,
  help: 'Open streams of inboxes',
  registers: [registry],
  collect() {
    this.set(inboxStreams.size)
  },
})
