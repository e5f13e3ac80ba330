import { hostname } from 'node:os'
import logger from '@adonisjs/core/services/logger'
import loggerConfig, { logOutput, writesAccessLog } from '#config/logger'

const BATCH_BYTES = 32_768
const BATCH_MS = 200

const INFO = 30
const { name } = loggerConfig.loggers.app
const origin = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())},"name":"${name}"`

/** All fields but `caller` are written unescaped, so they must not need JSON escapes. */
interface AccessLine {
  requestId: string
  method: string
  /** The pattern, never the path. */
  route: string
  status: number
  ms: number
  client: string
  caller?: string
}

/** The logger would cost a quarter of a check. No path or query: they may contain tokens. */
class AccessLog {
  #batch = ''
  #batchBytes = 0
  #timer?: NodeJS.Timeout

  write({ requestId, method, route, status, ms, client, caller }: AccessLine) {
    const callerField = caller === undefined ? '' : `,"caller":${JSON.stringify(caller)}`
    const line = `{"level":${INFO},"time":${Date.now()},${origin},"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"ms":${Math.round(ms * 100) / 100},"client":"${client}"${callerField},"msg":"request"}\n`
    // Counting bytes joins the pieces of the line, which takes longer once the line is old.
    this.#batchBytes += Buffer.byteLength(line)
    this.#batch += line
    if (this.#batchBytes > BATCH_BYTES) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS)
  }

  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    logOutput.write(this.#batch)
    this.#batch = ''
    this.#batchBytes = 0
  }
}

/** Null if requests are not logged. */
export const accessLog = writesAccessLog && logger.isLevelEnabled('info') ? new AccessLog() : null
// Before the exit handler of the output, which writes what is left.
if (accessLog) process.prependOnceListener('exit', () => accessLog.flush())
