import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

/** Workers write heartbeats to this file descriptor. */
export const HEARTBEAT_FD = 3
/** Tells a process that it is a worker. */
const HEARTBEAT_SETTING = 'HEARTBEAT_FD'
export const WORKER_SETTINGS = { [HEARTBEAT_SETTING]: String(HEARTBEAT_FD) }

const BEAT_MS = 1_000
/** After this many missing heartbeats, a worker counts as blocked. */
const MISSED_BEATS = 10

/**
 * Detects workers whose event loop is blocked. Counts its own ticks instead of reading the clock,
 * so that a sleeping machine or a delayed parent causes no false alarm.
 */
export class Watchdog {
  /** Ticks since the last heartbeat of each worker. */
  readonly #silent = new Map<ChildProcess, number>()

  constructor(private readonly standsStill: (worker: ChildProcess) => void) {
    setInterval(() => this.#look(), BEAT_MS).unref()
  }

  hear(worker: ChildProcess) {
    this.#silent.set(worker, 0)
  }

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
 * Sends heartbeats to the parent, if there is one. The first one says that the worker is ready. The
 * worker stops when its parent has exited.
 */
export function beat() {
  const fd = process.env[HEARTBEAT_SETTING]
  if (fd === undefined) return
  // Child processes of this one are not workers.
  delete process.env[HEARTBEAT_SETTING]
  const parent = new Socket({ fd: Number(fd) }).resume().unref()
  parent.on('error', () => {})
  parent.on('close', () => process.kill(process.pid, 'SIGTERM'))
  parent.write('.')
  setInterval(() => parent.write('.'), BEAT_MS).unref()
}
