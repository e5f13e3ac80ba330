import { Histogram } from 'prom-client'
import { LastHour } from '#core/metrics/last_hour'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'

/** In seconds. */
export const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const lastHour = new LastHour(BOUNDS.length + 1)

const durations = new Histogram({
  name: `${METRIC_PREFIX}http_request_duration_seconds`,
  help: 'Time from the arrival of a request to the end of its response',
  labelNames: ['method', 'route', 'status'],
  buckets: BOUNDS,
  registers: [registry],
})

export function observeDuration(method: string, route: string, status: number, seconds: number) {
  durations.observe({ method, route, status }, seconds)
  const bucket = BOUNDS.findIndex((bound) => seconds <= bound)
  lastHour.add(bucket === -1 ? BOUNDS.length : bucket, status)
}
