import { hostname } from 'node:os'
import { destination } from '@adonisjs/core/logger'
import logger from '@adonisjs/core/services/logger'
import loggerConfig, { writesAccessLog } from '#config/logger'

/** Lines are written together: this many characters of them, or those of this many milliseconds. */
const BATCH_LENGTH = 32_768
const BATCH_MS = 200
/** What is not written yet when the reader of the log stands still is dropped beyond this, in bytes. */
const MAX_WAITING = 4 * 1_048_576

const INFO = 30
const { name } = loggerConfig.loggers.app
const origin = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())},"name":"${name}"`

/** All text but `caller` is written as it is, so it must hold nothing that JSON escapes. */
interface AccessLine {
  /** As `requestIdFrom` gives it. */
  requestId: string
  method: string
  /** The pattern. */
  route: string
  status: number
  ms: number
  /** As `clientAddress` gives it. */
  client: string
  /** A person's address or the name of a key. */
  caller?: string
}

/**
 * One line per request, beside the log and in its form. The line is put together by hand and
 * written in batches: by the logger it would cost a quarter of a check. It has the route's pattern,
 * never the path or the query, so that it contains no tokens and none of the people a request is
 * about.
 */
class AccessLog {
  readonly #out = destination({ dest: 1, sync: false, maxLength: MAX_WAITING })
  #batch = ''
  #timer?: NodeJS.Timeout

  write({ requestId, method, route, status, ms, client, caller }: AccessLine) {
    const who = caller === undefined ? '' : `,"caller":${JSON.stringify(caller)}`
    this.#batch += `{"level":${INFO},"time":${Date.now()},${origin},"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"ms":${Math.round(ms * 100) / 100},"client":"${client}"${who},"msg":"request"}\n`
    if (this.#batch.length > BATCH_LENGTH) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS)
  }

  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#out.write(this.#batch)
    this.#batch = ''
  }
}

/** Null where requests are not logged. */
export const accessLog = writesAccessLog && logger.isLevelEnabled('info') ? new AccessLog() : null
if (accessLog) process.once('exit', () => accessLog.flush())
