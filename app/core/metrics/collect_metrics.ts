import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import type { MetricObject } from 'prom-client'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { registry } from '#core/metrics/registry'

/** A worker requests the metrics of all workers from the primary process. */
export interface MetricsRequest {
  kind: 'metrics_request'
  id: string
}
export interface MetricsResponse {
  kind: 'metrics_response'
  id: string
  /** Null if a worker did not respond. */
  text: string | null
}

/** The primary process requests the metrics of each worker. */
export interface WorkerMetricsRequest {
  kind: 'worker_metrics_request'
  id: string
}
export interface WorkerMetricsResponse {
  kind: 'worker_metrics_response'
  id: string
  metrics: MetricObject[] | null
}

const TIMEOUT_MS = 6_000

if (cluster.isWorker) {
  process.on('message', async ({ kind, id }: Partial<WorkerMetricsRequest>) => {
    if (kind !== 'worker_metrics_request' || id === undefined) return
    const metrics = await registry.getMetricsAsJSON().catch(() => null)
    send({ kind: 'worker_metrics_response', id, metrics })
  })
}

/** Metrics of all workers in the Prometheus text format. @throws UpstreamUnreachable */
export async function collectMetrics(): Promise<string> {
  if (!cluster.isWorker) return registry.metrics()
  const id = randomUUID()
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      process.off('message', onMessage)
      finish()
    }
    const timer = setTimeout(() => settle(() => reject(new WorkerUnresponsive())), TIMEOUT_MS)
    const onMessage = ({ kind, id: responseId, text }: Partial<MetricsResponse>) => {
      if (kind !== 'metrics_response' || responseId !== id) return
      settle(() => (typeof text === 'string' ? resolve(text) : reject(new WorkerUnresponsive())))
    }
    process.on('message', onMessage)
    send({ kind: 'metrics_request', id })
  })
}

/** The primary process may have exited. */
function send(message: MetricsRequest | WorkerMetricsResponse) {
  process.send?.(message, undefined, undefined, () => {})
}

class WorkerUnresponsive extends UpstreamUnreachable {
  constructor() {
    super({ detail: 'A worker did not report its metrics' })
  }
}

export const METRICS_CONTENT_TYPE = registry.contentType
