import type { Client } from 'pg'
import { statementTimeLimitMs } from '#core/database/statement_time_limit'

/** The pool does not reuse a connection with this property. */
type PooledClient = Client & { __knex__disposed?: unknown }

const READ_ONLY = '25006'

/**
 * Removes a connection from its pool on which a query timed out, or whose server has become
 * read-only. The driver reports a timeout but does not cancel the query, so later queries, even a
 * rollback, would wait behind it; such a connection is closed immediately.
 */
export function discardUnusableConnection(connection: PooledClient) {
  const query = connection.query as (...parameters: unknown[]) => unknown
  const discard = (error: unknown) => {
    if (!(error instanceof Error)) return
    const hasTimedOut = error.message === 'Query read timeout'
    const isReadOnly = 'code' in error && error.code === READ_ONLY
    if (hasTimedOut || isReadOnly) connection.__knex__disposed = error
    if (hasTimedOut) connection.connection.stream.destroy()
  }
  const observedQuery = (statement: unknown, ...parameters: unknown[]) => {
    const limited = withTimeLimit(statement)
    const callback = parameters.at(-1)
    if (typeof callback === 'function') {
      const observedCallback = (error: unknown, ...rest: unknown[]) => {
        discard(error)
        callback(error, ...rest)
      }
      return query.call(connection, limited, ...parameters.slice(0, -1), observedCallback)
    }
    const result = query.call(connection, limited, ...parameters)
    if (result instanceof Promise) result.catch(discard)
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
