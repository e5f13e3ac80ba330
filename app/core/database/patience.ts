import { AsyncLocalStorage } from 'node:async_hooks'

/** How long a statement may take that nobody waits for, in milliseconds. */
const BACKGROUND_MS = 60_000
/** The longest that a timer can wait. */
const UNLIMITED_MS = 2 ** 31 - 1

const patience = new AsyncLocalStorage<number>()

/** Lets statements in `work` take longer than those that a request waits for. */
export function inBackground<T>(work: () => Promise<T>): Promise<T> {
  return patience.run(BACKGROUND_MS, async () => work())
}

/** Lets statements in `work`, such as those of migrations, take as long as they take. */
export function withoutTimeLimit<T>(work: () => Promise<T>): Promise<T> {
  return patience.run(UNLIMITED_MS, async () => work())
}

/** What `inBackground` or `withoutTimeLimit` allows the present statement; undefined outside of both. */
export const allowedMs = () => patience.getStore()
