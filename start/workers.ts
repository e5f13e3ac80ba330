import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AggregatorRegistry } from 'prom-client'
import { APP_ROOT } from '#start/root'

/** What a worker runs, in the language this file itself is in. */
const WORKER = fileURLToPath(new URL(`bin/server${extname(import.meta.filename)}`, APP_ROOT))

/** What workers say to one another names its kind; the metrics' own messages have none. */
type Message = { kind: string; id?: string }

/**
 * Runs the service in worker processes and passes messages between them. Resolves once all of them listen.
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
      worker?.process.kill(signal)
      // Without this a worker closes its port but waits for its channel for ever.
      worker?.disconnect()
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  const metrics = new AggregatorRegistry()
  cluster.on('message', async (from, message: Partial<Message>) => {
    if (message.kind === 'metrics_wanted') {
      const text = await metrics.clusterMetrics().catch(() => null)
      if (from.isConnected()) from.send({ kind: 'metrics_gathered', id: message.id, text })
    } else if (message.kind !== undefined) pass(from, message)
  })

  const pass = (from: Worker, message: object) => {
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker && worker !== from && worker.isConnected()) worker.send(message)
    }
  }
  cluster.on('exit', (worker, code) => {
    if (stopping) return
    if (!listening.delete(worker)) process.exit(code || 1)
    cluster.fork()
  })
  cluster.on('listening', (worker) => listening.add(worker))

  for (let started = 0; started < count; started++) await once(cluster.fork(), 'listening')
}
