import type { Client } from 'pg'
import { allowedMs } from '#core/database/statement_time_limit'

/** The pool does not reuse a connection with this property. */
type PooledClient = Client & { __knex__disposed?: unknown }

/**
 * Closes a connection on which a query timed out. The driver reports the timeout but does not
 * cancel the query, so later queries, even a rollback, would wait behind it.
 */
export function discardTimedOutConnection(connection: PooledClient) {
  const query = connection.query as (...parameters: unknown[]) => unknown
  const note = (error: unknown) => {
    if (!(error instanceof Error && error.message === 'Query read timeout')) return
    connection.__knex__disposed = error
    connection.connection.stream.destroy()
  }
  const noting = (statement: unknown, ...parameters: unknown[]) => {
    const patient = withAllowedTime(statement)
    const callback = parameters.at(-1)
    if (typeof callback === 'function') {
      const noted = (error: unknown, ...rest: unknown[]) => {
        note(error)
        callback(error, ...rest)
      }
      return query.call(connection, patient, ...parameters.slice(0, -1), noted)
    }
    const answer = query.call(connection, patient, ...parameters)
    if (answer instanceof Promise) answer.catch(note)
    return answer
  }
  connection.query = noting as Client['query']
}

function withAllowedTime(statement: unknown) {
  const ms = allowedMs()
  if (ms === undefined) return statement
  if (typeof statement === 'string') return { text: statement, query_timeout: ms }
  return { ...(statement as object), query_timeout: ms }
}
