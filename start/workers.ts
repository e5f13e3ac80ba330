import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { APP_ROOT } from '#start/root'
import { WorkerMetrics } from '#start/worker_metrics'
import type { MetricsGathered, MetricsTold, MetricsWanted } from '#core/metrics/collect'

/** What a worker runs, in the language this file itself is in. */
const WORKER = fileURLToPath(new URL(`bin/server${extname(import.meta.filename)}`, APP_ROOT))

/** What workers say names its kind: about metrics to the parent, everything else to one another. */
type Message = MetricsWanted | MetricsTold | { kind: 'forget_decisions' }

/**
 * Runs the service in worker processes and passes messages between them. Resolves once all of them listen, or are told to end.
 *
 * The first worker prepares the database before the others start. A worker that dies is replaced, unless it never came
 * up: then the whole service ends, so that its message is seen.
 */
export async function runWorkers(count: number) {
  cluster.setupPrimary({ exec: WORKER })
  let stopping = false
  const listening = new Set<Worker>()

  const stop = (signal: NodeJS.Signals) => {
    stopping = true
    for (const worker of Object.values(cluster.workers ?? {})) {
      // One that is still starting beside others has nothing to finish, and hears signals late.
      const isIdle = worker !== undefined && listening.size > 0 && !listening.has(worker)
      worker?.process.kill(isIdle ? 'SIGKILL' : signal)
      // Without this a worker closes its port but waits for its channel for ever.
      worker?.disconnect()
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  const metrics = new WorkerMetrics()
  cluster.on('message', async (from, message: Message) => {
    if (message.kind === 'metrics_told') return metrics.take(message)
    if (message.kind !== 'metrics_wanted') return pass(from, message)
    const { id } = message
    const text = await metrics.gather([...listening])
    const gathered: MetricsGathered = { kind: 'metrics_gathered', id, text }
    from.send(gathered, undefined, () => {})
  })

  const pass = (from: Worker, message: object) => {
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker && worker !== from && worker.isConnected()) worker.send(message)
    }
  }
  cluster.on('exit', (worker, code) => {
    metrics.leave(worker)
    if (stopping) return
    if (!listening.delete(worker)) process.exit(code || 1)
    cluster.fork()
  })
  cluster.on('listening', (worker) => listening.add(worker))

  for (let started = 0; started < count && !stopping; started++) {
    const worker = cluster.fork()
    // Told to end before it was up, it never listens.
    await Promise.race([once(worker, 'listening'), once(worker, 'exit')])
  }
}
