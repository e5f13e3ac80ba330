import bodyConfig from '#config/body'
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

const MEBIBYTE = 1_048_576

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
  /**
   * The largest share of one caller: of each class, of incomplete bodies, of connections.
   */
  perCaller: 1 / 4,

  /**
   * Requests in progress, by class. No class can take the places of another.
   */
  inFlight: {
    checks: count('MAX_IN_FLIGHT_CHECKS', 1_000),
    ownChecks: count('MAX_IN_FLIGHT_CHECKS', 1_000),
    sends: count('MAX_IN_FLIGHT_SENDS', 250),
    providerMails: count('MAX_IN_FLIGHT_SENDS', 250),
    streams: count('MAX_IN_FLIGHT_OTHER', 250),
    operations: 50,
    other: count('MAX_IN_FLIGHT_OTHER', 250),
  },

  /** Requests that are being authenticated or still sending their body, in each class. */
  arriving: {
    /** Arriving requests for each request in progress. */
    perPlace: 4,
    /** Bytes of incomplete bodies. One caller can always send four of the largest. */
    bytes: Math.max(64 * MEBIBYTE, 16 * bodyConfig.limit),
  },

  /**
   * Pieces of a body: each takes time, however small it is. A body that arrives byte by byte may
   * have 2 KiB, and one whose pieces have 64 bytes on average is never refused.
   */
  pieces: { perBody: 2_048, bytesPerPiece: 64 },

  /** Parts of a URL. */
  url: { pathSegments: 32, parameters: 100 },

  /** Pipelined requests of one connection. */
  pipeline: {
    /** In progress, or with an answer that has not been read yet. */
    inFlight: 4,
    /** Waiting for their turn. The next one is refused, and the connection is closed. */
    waiting: 16,
    /** After this many further requests, the connection is cut. */
    ignored: 32,
  },

  /** Answers that the client does not read. */
  unread: {
    /** A connection that reads less than `bytesPerSecond` on average is closed after this time. */
    stalledMs: 15_000,
    bytesPerSecond: 16_384,
    /**
     * How much may be unread in this process. Above that, connections of the client that holds most
     * are closed.
     */
    bytes: 64 * MEBIBYTE,
  },
}
