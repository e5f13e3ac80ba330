import { AsyncLocalStorage } from 'node:async_hooks'
import { HttpContext } from '@adonisjs/core/http'

const ids = new AsyncLocalStorage<string | undefined>()

/** Does the work of a request that has no context, so that log lines have its id. */
export const withRequestId = <T>(id: string, work: () => T): T => ids.run(id, work)

/**
 * Does the work of a request with a context. It can begin in the asynchronous context of an earlier
 * request on the same connection.
 */
export const withOwnContext = <T>(work: () => T): T =>
  ids.getStore() === undefined ? work() : ids.run(undefined, work)

/** Of the request that is being handled; undefined if there is none. */
export const currentRequestId = (): string | undefined =>
  ids.getStore() ?? HttpContext.get()?.requestId
