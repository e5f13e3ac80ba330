import { spawn } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { Parent, WORKER } from '#start/parent'
import { WORKER_SETTINGS } from '#start/watchdog'
import { WorkerMetrics } from '#start/worker_metrics'
import type { MetricsGathered, MetricsTold, MetricsWanted } from '#core/metrics/collect'

/** What workers say names its kind: to the parent, or else to one another. */
type Message = MetricsWanted | MetricsTold | { kind: 'forget_decisions' }

/**
 * Runs the service in worker processes. Resolves once all of them serve, or are told to end. The
 * first worker prepares the database before the others start.
 */
export async function runWorkers(count: number) {
  const parent = new Parent(count === 1 ? forkOnly : forkOneOfSeveral)
  if (count > 1) connectWorkers()
  for (let started = 0; started < count && !parent.isStopping; started++) await parent.start()
}

/** Without a channel, which would make each request of the worker a tenth more expensive. */
function forkOnly() {
  return spawn(process.execPath, [...process.execArgv, WORKER, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, ...WORKER_SETTINGS },
  })
}

/** Several share the port: they get their connections from the parent in turn. */
function forkOneOfSeveral() {
  return cluster.fork(WORKER_SETTINGS).process
}

/** Passes messages between the workers of a cluster, and gathers their metrics. */
function connectWorkers() {
  cluster.setupPrimary({
    exec: WORKER,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe', 'ipc'],
  })
  const running = new Set<Worker>()
  const listening = new Set<Worker>()
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
    for (const worker of running) {
      if (worker !== from && worker.isConnected()) worker.send(message)
    }
  }
  cluster.on('fork', (worker) => running.add(worker))
  cluster.on('listening', (worker) => listening.add(worker))
  cluster.on('exit', (worker) => {
    metrics.leave(worker)
    running.delete(worker)
    listening.delete(worker)
  })
  // Without this a worker closes its port but waits for its channel for ever.
  const disconnect = () => {
    for (const worker of running) if (worker.isConnected()) worker.disconnect()
  }
  process.on('SIGTERM', disconnect)
  process.on('SIGINT', disconnect)
}
