import type { Client } from 'pg'
import { statementTimeLimitMs } from '#core/database/statement_time_limit'

/** The pool does not reuse a connection with this property. */
type PooledClient = Client & { __knex__disposed?: unknown }

/**
 * Closes a connection on which a query timed out. The driver reports the timeout but does not
 * cancel the query, so later queries, even a rollback, would wait behind it.
 */
export function discardTimedOutConnection(connection: PooledClient) {
  const query = connection.query as (...parameters: unknown[]) => unknown
  const discardOnTimeout = (error: unknown) => {
    if (!(error instanceof Error && error.message === 'Query read timeout')) return
    connection.__knex__disposed = error
    connection.connection.stream.destroy()
  }
  const observedQuery = (statement: unknown, ...parameters: unknown[]) => {
    const limited = withTimeLimit(statement)
    const callback = parameters.at(-1)
    if (typeof callback === 'function') {
      const observedCallback = (error: unknown, ...rest: unknown[]) => {
        discardOnTimeout(error)
        callback(error, ...rest)
      }
      return query.call(connection, limited, ...parameters.slice(0, -1), observedCallback)
    }
    const result = query.call(connection, limited, ...parameters)
    if (result instanceof Promise) result.catch(discardOnTimeout)
    return result
  }
  connection.query = observedQuery as Client['query']
}

function withTimeLimit(statement: unknown) {
  const ms = statementTimeLimitMs()
  if (ms === undefined) return statement
  if (typeof statement === 'string') return { text: statement, query_timeout: ms }
  return { ...(statement as object), query_timeout: ms }
}
