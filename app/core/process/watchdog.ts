import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

/** Workers write heartbeats to this file descriptor. */
export const HEARTBEAT_FD = 3
/** Marks a process as a worker. */
const HEARTBEAT_SETTING = 'HEARTBEAT_FD'
export const WORKER_SETTINGS = { [HEARTBEAT_SETTING]: String(HEARTBEAT_FD) }

const HEARTBEAT_MS = 1_000
/** After this many missing heartbeats, a worker counts as blocked. */
const MAX_MISSED_BEATS = 10

/**
 * Detects workers whose event loop is blocked. Counts its own ticks instead of reading the clock,
 * so that a sleeping machine or a delayed parent causes no false alarm.
 */
export class Watchdog {
  /** Ticks since the last heartbeat of each worker. */
  readonly #missedBeats = new Map<ChildProcess, number>()

  constructor(private readonly onBlocked: (worker: ChildProcess) => void) {
    setInterval(() => this.#check(), HEARTBEAT_MS).unref()
  }

  heartbeat(worker: ChildProcess) {
    this.#missedBeats.set(worker, 0)
  }

  remove(worker: ChildProcess) {
    this.#missedBeats.delete(worker)
  }

  #check() {
    for (const [worker, missed] of this.#missedBeats) {
      this.#missedBeats.set(worker, missed + 1)
      if (missed + 1 <= MAX_MISSED_BEATS) continue
      this.#missedBeats.delete(worker)
      this.onBlocked(worker)
    }
  }
}

/**
 * Sends heartbeats to the parent, if there is one. The first one means that the worker is ready.
 * The worker stops when its parent has exited.
 */
export function startHeartbeat() {
  const fd = process.env[HEARTBEAT_SETTING]
  if (fd === undefined) return
  // Child processes of this one are not workers.
  delete process.env[HEARTBEAT_SETTING]
  const parent = new Socket({ fd: Number(fd) }).resume().unref()
  parent.on('error', () => {})
  parent.on('close', () => process.kill(process.pid, 'SIGTERM'))
  parent.write('.')
  setInterval(() => parent.write('.'), HEARTBEAT_MS).unref()
}
