import type { Worker } from 'node:cluster'

/** A worker that has just died still counts as connected. The others do not need to know. */
export function forwardMessage(workers: Iterable<Worker>, from: Worker, message: object) {
  for (const worker of workers) {
    if (worker !== from && worker.isConnected()) worker.send(message, undefined, () => {})
  }
}
