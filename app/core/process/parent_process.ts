import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { logFromParent } from '#core/process/log_from_parent'
import { HEARTBEAT_FD, Watchdog } from '#core/process/watchdog'
import { backOffMs } from '#core/values/back_off'

/** Stopping workers exit earlier, unless they are blocked. */
const KILL_AFTER_MS = 9_300

/** Between the attempts to start a worker. */
const PAUSES = { firstMs: 1_000, factor: 2, longestMs: 30_000 }

interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/**
 * Replaces workers that exit or block. If the first one never becomes ready, the service exits, so
 * that its error message is seen. Later, workers that fail to start are started again.
 */
export class ParentProcess {
  readonly #running = new Set<ChildProcess>()
  /** Workers that have sent a heartbeat. */
  readonly #ready = new Set<ChildProcess>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  /** Whether any worker was ever ready. */
  #hasServed = false
  readonly #watchdog = new Watchdog((worker) => {
    const facts = { worker: worker.pid }
    logFromParent('error', 'A worker process was killed because its event loop is blocked', facts)
    worker.kill('SIGKILL')
  })
  #isStopping = false

  /** @param fork Starts a worker process, with a pipe at `HEARTBEAT_FD` and `WORKER_SETTINGS` */
  constructor(private readonly fork: () => ChildProcess) {
    process.on('SIGTERM', (signal) => this.#stop(signal))
    process.on('SIGINT', (signal) => this.#stop(signal))
  }

  get isStopping() {
    return this.#isStopping
  }

  /**
   * Resolves once the worker is ready or has exited.
   *
   * @param failures How many times in a row it has exited before it was ready
   */
  async start(failures = 0) {
    const worker = this.fork()
    const heartbeat = worker.stdio[HEARTBEAT_FD] as Readable
    this.#running.add(worker)
    heartbeat.on('data', () => this.#onHeartbeat(worker)).on('error', () => {})
    const exited = once(worker, 'exit')
    worker.on('exit', (code, signal) => this.#onExit(worker, failures, { code, signal }))
    await Promise.race([once(heartbeat, 'data'), exited])
  }

  #onHeartbeat(worker: ChildProcess) {
    if (!this.#running.has(worker)) return
    this.#ready.add(worker)
    this.#hasServed = true
    this.#watchdog.heartbeat(worker)
  }

  #onExit(worker: ChildProcess, failures: number, { code, signal }: Exit) {
    this.#watchdog.remove(worker)
    this.#running.delete(worker)
    const wasReady = this.#ready.delete(worker)
    if (this.#isStopping) {
      if (wasReady && code !== 0) process.exitCode = 1
      return
    }
    if (!this.#hasServed) process.exit(code || 1)
    const facts = { worker: worker.pid, code, signal }
    if (!wasReady) return this.#startLater(failures + 1, facts)
    logFromParent('warn', 'A worker process has exited and is being replaced', facts)
    void this.start()
  }

  #startLater(failures: number, facts: object) {
    const retryInMs = backOffMs(failures, PAUSES)
    const message = 'A worker process exited before it served and is started again later'
    logFromParent('error', message, { ...facts, retryInMs })
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      void this.start(failures)
    }, retryInMs)
    this.#pauses.add(pause)
  }

  #stop(signal: NodeJS.Signals) {
    if (!this.#isStopping) setTimeout(() => this.#killAll(), KILL_AFTER_MS).unref()
    this.#isStopping = true
    for (const pause of this.#pauses) clearTimeout(pause)
    for (const worker of this.#running) {
      // A replacement that is still starting has nothing to finish, and handles signals late.
      const isIdle = this.#hasServed && !this.#ready.has(worker)
      worker.kill(isIdle ? 'SIGKILL' : signal)
    }
  }

  #killAll() {
    for (const worker of this.#running) {
      logFromParent('error', 'A worker process did not stop in time and was killed', {
        worker: worker.pid,
      })
      worker.kill('SIGKILL')
    }
  }
}
