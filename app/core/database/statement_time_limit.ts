import { AsyncLocalStorage } from 'node:async_hooks'

const BACKGROUND_MS = 60_000
/** The longest delay that a timer supports. */
const UNLIMITED_MS = 2 ** 31 - 1

const timeLimit = new AsyncLocalStorage<number>()

export function withBackgroundTimeLimit<T>(work: () => Promise<T>): Promise<T> {
  return timeLimit.run(BACKGROUND_MS, async () => work())
}

export function withoutTimeLimit<T>(work: () => Promise<T>): Promise<T> {
  return timeLimit.run(UNLIMITED_MS, async () => work())
}

/** Undefined if the limit of the connection applies. */
export const statementTimeLimitMs = () => timeLimit.getStore()
