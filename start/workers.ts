import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { log } from '#start/parent_log'
import { APP_ROOT } from '#start/root'
import { type Beat, Watchdog } from '#start/watchdog'
import { WorkerMetrics } from '#start/worker_metrics'
import type { MetricsGathered, MetricsTold, MetricsWanted } from '#core/metrics/collect'

/** What a worker runs, in the language this file itself is in. */
const WORKER = fileURLToPath(new URL(`bin/server${extname(import.meta.filename)}`, APP_ROOT))

/**
 * When workers that were told to end are killed. They end by themselves before that, unless they
 * stand still.
 */
const KILL_MS = 9_300

/** What workers say names its kind: to the parent, or else to one another. */
type Message = Beat | MetricsWanted | MetricsTold | { kind: 'forget_decisions' }

/**
 * Runs the service in worker processes and passes messages between them. Resolves once all of them
 * listen, or are told to end.
 *
 * The first worker prepares the database before the others start. A worker that dies or stands
 * still is replaced, unless it never came up: then the whole service ends, so that its message is
 * seen.
 */
export async function runWorkers(count: number) {
  // A single worker takes its connections itself; several get them from the parent in turn. Setting
  // up the parent freezes this.
  if (count === 1) cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: WORKER })
  let stopping = false
  const running = new Set<Worker>()
  const listening = new Set<Worker>()

  const stop = (signal: NodeJS.Signals) => {
    if (!stopping) setTimeout(killAll, KILL_MS).unref()
    stopping = true
    for (const worker of running) {
      // One that is still starting beside others has nothing to finish, and hears signals late.
      const isIdle = listening.size > 0 && !listening.has(worker)
      worker.process.kill(isIdle ? 'SIGKILL' : signal)
      // Without this a worker closes its port but waits for its channel for ever.
      if (worker.isConnected()) worker.disconnect()
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  const killAll = () => {
    for (const { process: worker } of running) {
      log('error', 'A worker process did not end in time and is killed', { worker: worker.pid })
      worker.kill('SIGKILL')
    }
  }

  const watchdog = new Watchdog((worker) => {
    const facts = { worker: worker.process.pid }
    log('error', 'The event loop of a worker process stands still: it is killed', facts)
    worker.process.kill('SIGKILL')
  })

  const metrics = new WorkerMetrics()
  cluster.on('message', async (from, message: Message) => {
    if (message.kind === 'beat') return watch(from)
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
  /** Only from when it serves: preparing a large database may take longer. */
  const watch = (worker: Worker) => {
    if (listening.has(worker)) watchdog.hear(worker)
  }
  cluster.on('fork', (worker) => running.add(worker))
  cluster.on('exit', (worker, code, signal) => {
    metrics.leave(worker)
    watchdog.leave(worker)
    running.delete(worker)
    const wasUp = listening.delete(worker)
    if (stopping) {
      if (wasUp && code !== 0) process.exitCode = 1
      return
    }
    if (!wasUp) process.exit(code || 1)
    const facts = { worker: worker.process.pid, code, signal }
    log('warn', 'A worker process has ended and is replaced', facts)
    cluster.fork()
  })
  cluster.on('listening', (worker) => {
    listening.add(worker)
    watch(worker)
  })

  for (let started = 0; started < count && !stopping; started++) {
    const worker = cluster.fork()
    // Told to end before it was up, it never listens.
    await Promise.race([once(worker, 'listening'), once(worker, 'exit')])
  }
}
