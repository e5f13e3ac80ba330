import string from '@adonisjs/core/helpers/string'
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
  throw new Error(`${name} must be greater than 0`)
}

const headersMs = seconds('HEADERS_TIMEOUT', 5)

const KIBIBYTE = 1_024
const MEBIBYTE = 1_024 * KIBIBYTE
const bodyBytes = string.bytes.parse(env.get('BODY_LIMIT') ?? '1mb') ?? MEBIBYTE

/** Limits of one process, for each of its listeners. */
export default {
  /** Until the end of a request's headers. */
  headersMs,
  /** Until the end of a request's body. */
  requestMs: Math.max(headersMs, seconds('REQUEST_TIMEOUT', 15)),
  keepAliveMs: seconds('KEEP_ALIVE_TIMEOUT', 65),
  /** How long a connection may be idle during a request or response. */
  socketTimeoutMs: 60_000,
  connections: count('MAX_CONNECTIONS', 10_000),
  /** The largest share of one caller: of a class, of incomplete bodies, of connections. */
  perCaller: 1 / 4,

  /** The largest bodies. */
  bodyBytes: {
    largest: bodyBytes,
    /** Bodies under `/api/profile/me`, which anyone with an account can send. */
    own: Math.min(bodyBytes, 64 * KIBIBYTE),
    /** Events and mails of the identity provider, which have a few KiB. */
    hook: Math.min(bodyBytes, 256 * KIBIBYTE),
    /** Checks of one's own permissions, up to 500 at a time. */
    ownChecks: Math.min(bodyBytes, 256 * KIBIBYTE),
  },

  /** By class. A class cannot use the places of another. */
  inFlight: {
    checks: count('MAX_IN_FLIGHT_CHECKS', 1_000),
    ownChecks: count('MAX_IN_FLIGHT_CHECKS', 1_000),
    sends: count('MAX_IN_FLIGHT_SENDS', 250),
    providerMails: count('MAX_IN_FLIGHT_SENDS', 250),
    streams: count('MAX_IN_FLIGHT_OTHER', 250),
    operations: 50,
    other: count('MAX_IN_FLIGHT_OTHER', 250),
  },

  /** Requests that are being authenticated or sending their body, in each class. */
  arriving: {
    perPlace: 4,
    /** Bytes of incomplete bodies. One caller can always send four of the largest. */
    bytes: Math.max(64 * MEBIBYTE, 16 * bodyBytes),
  },

  pieces: {
    /** A body may arrive in this many chunks, and in more if they have 64 bytes on average. */
    perBody: 512,
    bytesPerPiece: 64,
    /** After this many chunks of a body, its connection takes turns with others. */
    atOnce: 32,
    /** Chunks of all bodies in one turn, which take up to 10 ms. */
    perTurn: 4_096,
    /** What a read counts whose chunks are passed over. */
    skipped: 128,
  },

  /** What may arrive of a body after the response, and for how long if the connection closes. */
  restOfBody: { bytes: 4 * bodyBytes, ms: 2_000 },

  /** Parts of a URL. */
  url: { pathSegments: 32, parameters: 100 },

  /** Pipelined requests of one connection. */
  pipeline: {
    /** In progress, or with a response that has not been read yet. */
    inFlight: 4,
    /** One more is refused, and the connection is closed. */
    waiting: 16,
    /** After this many further requests, the connection is dropped. */
    ignored: 32,
  },

  unread: {
    /** A connection that reads less than `bytesPerSecond` on average is closed after this time. */
    stalledMs: 15_000,
    bytesPerSecond: 16_384,
    /** In total. Above that, connections of the client that holds the most are closed. */
    bytes: 64 * MEBIBYTE,
  },

  exports: {
    /** How often an open export repeats the guards of its route. */
    guardsEveryMs: 1_000,
    longestMs: 3_600_000,
  },
}
