import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

/** The file descriptor to which a worker writes its heartbeats. */
export const HEARTBEAT_FD = 3
/** Tells a process that it is a worker, by naming that file descriptor. */
const HEARTBEAT_SETTING = 'HEARTBEAT_FD'
export const WORKER_SETTINGS = { [HEARTBEAT_SETTING]: String(HEARTBEAT_FD) }

/** How often a worker sends a heartbeat. */
const BEAT_MS = 1_000
/** A worker counts as blocked after this many missing heartbeats. */
const MISSED_BEATS = 10

/**
 * Detects workers whose event loop is blocked: they answer no requests and do not handle SIGTERM.
 * It counts its own ticks instead of reading the clock, so that a sleeping machine or a delayed
 * parent causes no false alarm.
 */
export class Watchdog {
  /** The number of ticks since the last heartbeat of each worker. */
  readonly #silent = new Map<ChildProcess, number>()

  constructor(private readonly standsStill: (worker: ChildProcess) => void) {
    setInterval(() => this.#look(), BEAT_MS).unref()
  }

  /** The worker has sent a heartbeat. */
  hear(worker: ChildProcess) {
    this.#silent.set(worker, 0)
  }

  /** The worker has exited. */
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
 * Sends heartbeats to this worker's parent, if it has one, while the event loop runs. The first one
 * says that the worker serves. The worker stops when its parent has exited.
 */
export function beat() {
  const fd = process.env[HEARTBEAT_SETTING]
  if (fd === undefined) return
  // Processes that this one starts are not workers.
  delete process.env[HEARTBEAT_SETTING]
  const parent = new Socket({ fd: Number(fd) }).resume().unref()
  parent.on('error', () => {})
  parent.on('close', () => process.kill(process.pid, 'SIGTERM'))
  parent.write('.')
  setInterval(() => parent.write('.'), BEAT_MS).unref()
}
