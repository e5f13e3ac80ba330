import { randomUUID } from 'node:crypto'
import type { Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObject } from 'prom-client'
import type { MetricsAsked, MetricsTold } from '#core/metrics/collect'

const WAIT_MS = 5_000

type Told = MetricsTold['metrics']

/**
 * The library also asks workers that are not listening yet and waits for those that have died, so
 * that metrics would be unavailable while a worker is replaced.
 */
export class WorkerMetrics {
  /** Pending requests, by id. */
  readonly #questions = new Map<string, { from: Worker; answer: (metrics: Told) => void }>()

  /**
   * A worker that exits counts as gone. Returns null if a worker does not answer in time, because
   * without its share counters would seem to decrease.
   */
  async gather(workers: Worker[]): Promise<string | null> {
    const told = await Promise.all(workers.map((worker) => this.#ask(worker)))
    if (told.includes(null)) return null
    const shares = told.filter((metrics) => metrics !== null && metrics.length > 0)
    return AggregatorRegistry.aggregate(shares as MetricObject[][]).metrics()
  }

  take({ id, metrics }: Omit<MetricsTold, 'kind'>) {
    this.#questions.get(id)?.answer(metrics)
  }

  leave(worker: Worker) {
    for (const { from, answer } of this.#questions.values()) if (from === worker) answer([])
  }

  #ask(worker: Worker): Promise<Told> {
    const asked: MetricsAsked = { kind: 'metrics_asked', id: randomUUID() }
    return new Promise<Told>((answer) => {
      const timer = setTimeout(answer, WAIT_MS, null)
      this.#questions.set(asked.id, {
        from: worker,
        answer: (metrics) => {
          clearTimeout(timer)
          answer(metrics)
        },
      })
      worker.send(asked, undefined, (error) => {
        if (error) this.take({ id: asked.id, metrics: [] })
      })
    }).finally(() => this.#questions.delete(asked.id))
  }
}
