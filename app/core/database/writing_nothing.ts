import { AsyncLocalStorage } from 'node:async_hooks'

const requests = new AsyncLocalStorage<true>()

/** Handles a request that must change nothing, such as HEAD: its transactions are rolled back. */
export const writingNothing = <T>(work: () => T): T => requests.run(true, work)

/** Whether what is written remains; false within `writingNothing`. */
export const mayWrite = () => requests.getStore() === undefined
