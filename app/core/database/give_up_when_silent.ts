import type { Client } from 'pg'

/** How the pool knows that a connection is not to be used again. */
type PooledClient = Client & { __knex__disposed?: unknown }

/**
 * Makes the pool drop a connection on which a query timed out. The driver reports the timeout but leaves the query where
 * it is, so that every later one would wait behind it for as long as the path stays dead.
 */
export function giveUpWhenSilent(connection: PooledClient) {
  const query = connection.query as (...parameters: unknown[]) => unknown
  const note = (error: unknown) => {
    const timedOut = error instanceof Error && error.message === 'Query read timeout'
    if (timedOut) connection.__knex__disposed = error
  }
  const noting = (...parameters: unknown[]) => {
    const callback = parameters.at(-1)
    if (typeof callback === 'function') {
      const noted = (error: unknown, ...rest: unknown[]) => {
        note(error)
        callback(error, ...rest)
      }
      return query.call(connection, ...parameters.slice(0, -1), noted)
    }
    const answer = query.call(connection, ...parameters)
    if (answer instanceof Promise) answer.catch(note)
    return answer
  }
  connection.query = noting as Client['query']
}
