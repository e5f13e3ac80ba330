import { randomUUID } from 'node:crypto'
import type { Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObject } from 'prom-client'
import type { WorkerMetricsRequest, WorkerMetricsResponse } from '#core/metrics/collect_metrics'

const TIMEOUT_MS = 5_000

type Metrics = WorkerMetricsResponse['metrics']

/**
 * The library also queries workers that are not listening yet and waits for those that have died,
 * so that metrics would be unavailable while a worker is replaced.
 */
export class WorkerMetrics {
  /** Pending requests, by id. */
  readonly #pending = new Map<string, { worker: Worker; respond: (metrics: Metrics) => void }>()

  /**
   * A worker that exits is left out. Returns null if a worker does not respond in time, because
   * without its share counters would seem to decrease.
   */
  async collect(workers: Worker[]): Promise<string | null> {
    const results = await Promise.all(workers.map((worker) => this.#request(worker)))
    if (results.includes(null)) return null
    const shares = results.filter((metrics) => metrics !== null && metrics.length > 0)
    return AggregatorRegistry.aggregate(shares as MetricObject[][]).metrics()
  }

  receive({ id, metrics }: Omit<WorkerMetricsResponse, 'kind'>) {
    this.#pending.get(id)?.respond(metrics)
  }

  workerExited(worker: Worker) {
    for (const { worker: pending, respond } of this.#pending.values())
      if (pending === worker) respond([])
  }

  #request(worker: Worker): Promise<Metrics> {
    const request: WorkerMetricsRequest = { kind: 'worker_metrics_request', id: randomUUID() }
    return new Promise<Metrics>((resolve) => {
      const timer = setTimeout(resolve, TIMEOUT_MS, null)
      this.#pending.set(request.id, {
        worker,
        respond: (metrics) => {
          clearTimeout(timer)
          resolve(metrics)
        },
      })
      worker.send(request, undefined, (error) => {
        if (error) this.receive({ id: request.id, metrics: [] })
      })
    }).finally(() => this.#pending.delete(request.id))
  }
}
