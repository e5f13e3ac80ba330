import env from '#start/env'

const seconds = (
  name: 'HEADERS_TIMEOUT' | 'REQUEST_TIMEOUT' | 'KEEP_ALIVE_TIMEOUT',
  usual: number
) => requirePositive(name, env.get(name) ?? usual) * 1_000

const count = (
  name: 'MAX_CONNECTIONS' | 'MAX_IN_FLIGHT_CHECKS' | 'MAX_IN_FLIGHT_SENDS' | 'MAX_IN_FLIGHT_OTHER',
  usual: number
) => requirePositive(name, env.get(name) ?? usual)

function requirePositive(name: string, value: number) {
  if (value > 0) return value
  throw new Error(`${name} must be more than 0`)
}

const headersMs = seconds('HEADERS_TIMEOUT', 5)

/** What one process takes on at a time, on each of its listeners. */
export default {
  /** From the first byte, or the connection, to the end of a request's headers. */
  headersMs,
  /** The same to the end of its body. */
  requestMs: Math.max(headersMs, seconds('REQUEST_TIMEOUT', 15)),
  /** How long a connection may wait for its next request. */
  keepAliveMs: seconds('KEEP_ALIVE_TIMEOUT', 65),
  /** How long a connection may be silent in the middle of a request or an answer. */
  silenceMs: 60_000,
  connections: count('MAX_CONNECTIONS', 10_000),

  /** Requests being answered, by class: each class has a share of its own that the others cannot take. */
  inFlight: {
    checks: count('MAX_IN_FLIGHT_CHECKS', 1_000),
    ownChecks: count('MAX_IN_FLIGHT_CHECKS', 1_000),
    sends: count('MAX_IN_FLIGHT_SENDS', 250),
    streams: count('MAX_IN_FLIGHT_OTHER', 250),
    operations: 50,
    other: count('MAX_IN_FLIGHT_OTHER', 250),
  },
}
