import { Histogram } from 'prom-client'
import { LastHour } from '#core/metrics/last_hour'
import { METRIC_PREFIX, registry } from '#core/metrics/registry'

const NAME = `${METRIC_PREFIX}http_request_duration_seconds`
/** In seconds. */
export const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const lastHour = new LastHour(BOUNDS.length + 1)

interface Series {
  labels: { method: string; route: string; status: number }
  /** By bucket; the last one is unbounded. */
  counts: number[]
  sum: number
}

/** The library's histogram builds a string per observation, which is too slow for checks. */
class RequestDurations extends Histogram<'method' | 'route' | 'status'> {
  readonly #series = new Map<string, Map<string, Map<number, Series>>>()

  add(method: string, route: string, status: number, seconds: number) {
    const series =
      this.#series.get(route)?.get(method)?.get(status) ?? this.#create(method, route, status)
    let bucket = 0
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) bucket++
    series.counts[bucket]++
    lastHour.add(bucket, status)
    series.sum += seconds
  }

  override async get() {
    const values = [...this.#series.values()]
      .flatMap((methods) => [...methods.values()])
      .flatMap((statuses) => [...statuses.values()])
      .flatMap(valuesOf)
    const description = { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum' } as const
    return { ...description, values } as never
  }

  /** Called by the registry. */
  getForPromString() {
    return this.get()
  }

  #create(method: string, route: string, status: number): Series {
    const methods = this.#series.get(route) ?? new Map<string, Map<number, Series>>()
    const statuses = methods.get(method) ?? new Map<number, Series>()
    const counts = Array.from({ length: BOUNDS.length + 1 }, () => 0)
    const series = { labels: { method, route, status }, counts, sum: 0 }
    this.#series.set(route, methods.set(method, statuses.set(status, series)))
    return series
  }
}

const HELP = 'Time from the arrival of a request to the end of its response'

function valuesOf({ labels, counts, sum }: Series) {
  let count = 0
  const buckets = [...BOUNDS, '+Inf'].map((le, index) => {
    count += counts[index]
    return { labels: { ...labels, le }, value: count, metricName: `${NAME}_bucket` }
  })
  return [
    ...buckets,
    { labels, value: sum, metricName: `${NAME}_sum` },
    { labels, value: count, metricName: `${NAME}_count` },
  ]
}

export const requestDurations = new RequestDurations({
  name: NAME,
  help: HELP,
  labelNames: ['method', 'route', 'status'],
  registers: [registry],
})
