import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import type { MetricObject } from 'prom-client'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { registry } from '#core/metrics/registry'

/** What a worker wants of its parent (`start/workers.ts`), and what it gets. */
export interface MetricsWanted {
  kind: 'metrics_wanted'
  id: string
}
export interface MetricsGathered {
  kind: 'metrics_gathered'
  id: string
  /** Null when some worker did not answer. */
  text: string | null
}

/** What the parent then asks each worker, and what it is told. */
export interface MetricsAsked {
  kind: 'metrics_asked'
  id: string
}
export interface MetricsTold {
  kind: 'metrics_told'
  id: string
  metrics: MetricObject[] | null
}

const WAIT_MS = 6_000

if (cluster.isWorker) {
  process.on('message', async ({ kind, id }: Partial<MetricsAsked>) => {
    if (kind !== 'metrics_asked' || id === undefined) return
    const metrics = await registry.getMetricsAsJSON().catch(() => null)
    tell({ kind: 'metrics_told', id, metrics })
  })
}

/** Metrics of the whole service in Prometheus's text: of all its workers together where there are several. */
export async function collectMetrics(): Promise<string> {
  if (!cluster.isWorker) return registry.metrics()
  const id = randomUUID()
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      process.off('message', onMessage)
      finish()
    }
    const timer = setTimeout(() => settle(() => reject(new Unanswered())), WAIT_MS)
    const onMessage = ({ kind, id: answered, text }: Partial<MetricsGathered>) => {
      if (kind !== 'metrics_gathered' || answered !== id) return
      settle(() => (typeof text === 'string' ? resolve(text) : reject(new Unanswered())))
    }
    process.on('message', onMessage)
    tell({ kind: 'metrics_wanted', id })
  })
}

/** A parent that is gone hears nothing any more. */
function tell(message: MetricsWanted | MetricsTold) {
  process.send?.(message, undefined, undefined, () => {})
}

class Unanswered extends UpstreamUnreachable {
  constructor() {
    super({ detail: 'Not every worker told its metrics' })
  }
}

export const METRICS_CONTENT_TYPE = registry.contentType
