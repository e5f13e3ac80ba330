import { AsyncLocalStorage } from 'node:async_hooks'

const requests = new AsyncLocalStorage<true | undefined>()

/** Handles a request that must change nothing, such as HEAD: its transactions are rolled back. */
export const writingNothing = <T>(work: () => T): T => requests.run(true, work)

/**
 * Handles any other request. It can begin in the asynchronous context of an earlier request on the
 * same connection, which must not keep it from writing.
 */
export const writing = <T>(work: () => T): T =>
  mayWrite() ? work() : requests.run(undefined, work)

/** Whether what is written remains; false within `writingNothing`. */
export const mayWrite = () => requests.getStore() === undefined
