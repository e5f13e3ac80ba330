import { spawn } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { compileCacheSettings } from '#core/process/compile_cache'
import { forwardMessage } from '#core/process/forward_message'
import { ParentProcess } from '#core/process/parent_process'
import { WORKER_SETTINGS } from '#core/process/watchdog'
import { workerArguments } from '#core/process/worker_arguments'
import { workerScript } from '#core/process/worker_script'
import type {
  MetricsResponse,
  WorkerMetricsResponse,
  MetricsRequest,
} from '#core/metrics/collect_metrics'

/** Workers send these to the parent, or to each other through it. */
type Message = MetricsRequest | WorkerMetricsResponse | { kind: 'forget_decisions' }

const ARGUMENTS = workerArguments(process.execArgv, process.env.NODE_OPTIONS)
const SETTINGS = { ...compileCacheSettings(process.env), ...WORKER_SETTINGS }

/**
 * Resolves once all workers are ready or stopping. The first one prepares the database.
 *
 * @param name The script of a worker, in `bin/`
 */
export async function runWorkers(count: number, name = 'server') {
  const script = fileURLToPath(workerScript(name))
  const parent = new ParentProcess(
    count === 1 ? () => spawnSingleWorker(script) : forkClusterWorker
  )
  if (count > 1) await connectWorkers(script)
  for (let started = 0; started < count && !parent.isStopping; started++) await parent.start()
}

/** An IPC channel would make each request a tenth more expensive. */
function spawnSingleWorker(script: string) {
  return spawn(process.execPath, [...ARGUMENTS, script, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, ...SETTINGS },
  })
}

function forkClusterWorker() {
  return cluster.fork(SETTINGS).process
}

async function connectWorkers(script: string) {
  const { WorkerMetrics } = await import('#core/process/worker_metrics')
  cluster.setupPrimary({
    exec: script,
    execArgv: ARGUMENTS,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe', 'ipc'],
  })
  const running = new Set<Worker>()
  const listening = new Set<Worker>()
  const metrics = new WorkerMetrics()
  cluster.on('message', async (from, message: Message) => {
    if (message.kind === 'worker_metrics_response') return metrics.receive(message)
    if (message.kind !== 'metrics_request') return forwardMessage(running, from, message)
    const { id } = message
    const text = await metrics.collect([...listening])
    const response: MetricsResponse = { kind: 'metrics_response', id, text }
    from.send(response, undefined, () => {})
  })
  cluster.on('fork', (worker) => running.add(worker))
  cluster.on('listening', (worker) => listening.add(worker))
  cluster.on('exit', (worker) => {
    metrics.workerExited(worker)
    running.delete(worker)
    listening.delete(worker)
  })
  // Otherwise a worker closes its port but waits for its channel forever.
  const disconnect = () => {
    for (const worker of running) if (worker.isConnected()) worker.disconnect()
  }
  process.on('SIGTERM', disconnect)
  process.on('SIGINT', disconnect)
}
