import { AsyncLocalStorage } from 'node:async_hooks'

/** How long a statement in the background may take, in milliseconds. */
const BACKGROUND_MS = 60_000
/** The longest delay of a timer. */
const UNLIMITED_MS = 2 ** 31 - 1

const timeLimit = new AsyncLocalStorage<number>()

/** Lets statements in `work` take longer than statements of requests. */
export function inBackground<T>(work: () => Promise<T>): Promise<T> {
  return timeLimit.run(BACKGROUND_MS, async () => work())
}

/** Removes the time limit of statements in `work`, such as those of migrations. */
export function withoutTimeLimit<T>(work: () => Promise<T>): Promise<T> {
  return timeLimit.run(UNLIMITED_MS, async () => work())
}

/** The time limit set by `inBackground` or `withoutTimeLimit`; undefined outside both. */
export const allowedMs = () => timeLimit.getStore()
