import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

/** Where a worker's signs of life go, among the file descriptors it is started with. */
export const HEARTBEAT_FD = 3
/** Tells a process that it is a worker, by naming that file descriptor. */
const HEARTBEAT_SETTING = 'HEARTBEAT_FD'
export const WORKER_SETTINGS = { [HEARTBEAT_SETTING]: String(HEARTBEAT_FD) }

/** A worker shows that its event loop turns, this often. */
const BEAT_MS = 1_000
/** After so many beats that did not come it stands still. */
const MISSED_BEATS = 10

/**
 * Detects workers whose event loop is blocked: they answer no requests and do not handle SIGTERM.
 * It counts its own ticks instead of reading the clock, so that a sleeping machine or a delayed
 * parent causes no false alarm.
 */
export class Watchdog {
  /** How many turns each worker has been silent for. */
  readonly #silent = new Map<ChildProcess, number>()

  constructor(private readonly standsStill: (worker: ChildProcess) => void) {
    setInterval(() => this.#look(), BEAT_MS).unref()
  }

  /** The worker has given a sign of life. */
  hear(worker: ChildProcess) {
    this.#silent.set(worker, 0)
  }

  /** The worker has ended. */
  leave(worker: ChildProcess) {
    this.#silent.delete(worker)
  }

  #look() {
    for (const [worker, silent] of this.#silent) {
      this.#silent.set(worker, silent + 1)
      if (silent + 1 <= MISSED_BEATS) continue
      this.#silent.delete(worker)
      this.standsStill(worker)
    }
  }
}

/**
 * Gives this worker's parent, if it has one, a sign of life for as long as the event loop turns. The
 * first one says that the worker serves. A worker whose parent has gone ends as well.
 */
export function beat() {
  const fd = process.env[HEARTBEAT_SETTING]
  if (fd === undefined) return
  // What this process starts is no worker.
  delete process.env[HEARTBEAT_SETTING]
  const parent = new Socket({ fd: Number(fd) }).resume().unref()
  parent.on('error', () => {})
  parent.on('close', () => process.kill(process.pid, 'SIGTERM'))
  parent.write('.')
  setInterval(() => parent.write('.'), BEAT_MS).unref()
}
