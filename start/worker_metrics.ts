import { randomUUID } from 'node:crypto'
import type { Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObject } from 'prom-client'
import type { MetricsAsked, MetricsTold } from '#core/metrics/collect'

const WAIT_MS = 5_000

type Told = MetricsTold['metrics']

/**
 * Gathers the metrics of workers. The library's own gathering also asks workers that do not listen yet and waits for those
 * that have died, so that nothing could be read for as long as a worker is being replaced.
 */
export class WorkerMetrics {
  /** Answers that are waited for, by question. */
  readonly #questions = new Map<string, { from: Worker; answer: (metrics: Told) => void }>()

  /**
   * Metrics of the workers together, in Prometheus's text. A worker that ends before it answers counts as gone.
   *
   * @returns null when a worker did not answer in time, since without its share counters would seem to go backwards
   */
  async gather(workers: Worker[]): Promise<string | null> {
    const told = await Promise.all(workers.map((worker) => this.#ask(worker)))
    if (told.includes(null)) return null
    const shares = told.filter((metrics) => metrics !== null && metrics.length > 0)
    return AggregatorRegistry.aggregate(shares as MetricObject[][]).metrics()
  }

  /** What a worker has answered. */
  take({ id, metrics }: Omit<MetricsTold, 'kind'>) {
    this.#questions.get(id)?.answer(metrics)
  }

  /** The worker has ended. */
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
