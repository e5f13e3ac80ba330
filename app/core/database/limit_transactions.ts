import type { Client } from 'pg'
import { statementTimeLimitMs } from '#core/database/statement_time_limit'

/**
 * How long a transaction may wait for its next statement. Longer than the event loop of a worker
 * may be blocked, which is ten seconds.
 */
export const idleTransaction = { limitMs: 20_000 }

const BEGINS = /^begin\b[^;]*;?$/i

type LimitedClient = Client & { connectionParameters: { query_timeout?: number | false } }

/**
 * Makes the server end a transaction whose process is frozen or lost: it must not keep its locks,
 * nor take those that it waits for long after the process would have given up. The limits belong to
 * the statement that begins the transaction, so they need no round trip and work behind a pooler.
 */
export function limitTransactions(connection: Client) {
  const query = connection.query as (...parameters: unknown[]) => unknown
  const limitedQuery = (statement: unknown, ...parameters: unknown[]) =>
    query.call(connection, withLimits(connection as LimitedClient, statement), ...parameters)
  connection.query = limitedQuery as Client['query']
}

function withLimits(connection: LimitedClient, statement: unknown) {
  if (typeof statement === 'string') return beginWithLimits(connection, statement)
  const { text } = statement as { text?: unknown }
  if (typeof text !== 'string') return statement
  return { ...(statement as object), text: beginWithLimits(connection, text) }
}

function beginWithLimits({ connectionParameters }: LimitedClient, sql: string): string {
  if (!BEGINS.test(sql)) return sql
  const lockMs = statementTimeLimitMs() ?? (connectionParameters.query_timeout || 0)
  return (
    `${sql.replace(/;$/, '')}; set local lock_timeout = ${lockMs}; ` +
    `set local idle_in_transaction_session_timeout = ${idleTransaction.limitMs}`
  )
}
