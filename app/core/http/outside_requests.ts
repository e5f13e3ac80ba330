import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Does work that is shared by requests outside the context of the one that happened to begin it:
 * it does not wait for the turn of that caller, and has no time limit of that request.
 */
export const outsideRequests = AsyncLocalStorage.snapshot()
