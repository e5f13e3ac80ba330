import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'
import { inBudget, reserveIn } from '#core/database/work_budgets'
import { describeError } from '#core/exceptions/describe_error'
import { callerKey } from '#core/http/caller_name'
import { LastingAccess } from '#core/http/lasting_access'
import { Budget } from '#core/values/budget'
import httpLimits from '#config/http_limits'

const { exports: limits } = httpLimits

/** A client may read an export slowly, so many can be open. */
const MAX_OPEN = 20
/** Those that are reading from the database. */
const MAX_READING = 2
const MAX_PER_CALLER = 1
/** How long an open export waits to read its next piece. Reading a piece takes far less. */
const MAX_WAIT_MS = 60_000

const open = new Budget(MAX_OPEN, MAX_PER_CALLER)
const reading = new Budget(MAX_READING, MAX_PER_CALLER)

/**
 * The body of an export (conventions.md#exports). Each piece is read only when the client has read
 * the previous one. In between, others read theirs. The connection is closed if the guards of the
 * route would refuse the caller, or if anything else fails.
 * @throws Overloaded if the export cannot start in time
 */
export async function openExport(
  ctx: HttpContext,
  pieces: AsyncIterable<string>
): Promise<Readable> {
  if (ctx.request.method() === 'HEAD') return Readable.from([])
  const caller = callerKey(ctx)
  const access = new LastingAccess(ctx)
  const stream = Readable.from(inTurns(pieces, caller, access), { highWaterMark: 1 })
  ctx.response.response.once('close', () => stream.destroy())
  const detail = 'Too many exports are in progress'
  const reservation = await reserveIn(open, { caller, detail })
  if (stream.destroyed) {
    // The client disconnected while it waited.
    reservation.release()
    return Readable.from([])
  }
  // A batch that is being read when the client disconnects still counts.
  stream.once('close', () => reservation.release())
  limit(ctx, stream, access)
  return stream
}

/** A client can take long to read a piece, so this does not wait for the next one. */
function limit(ctx: HttpContext, stream: Readable, access: LastingAccess) {
  const end = (error: unknown) => endUnfinished(ctx, error)
  stream.once('error', end)
  const guards = setInterval(() => access.confirm().catch(end), limits.guardsEveryMs)
  const tooLong = () => end(new Error('The export took too long'))
  const longest = setTimeout(tooLong, limits.longestMs)
  ctx.response.response.once('close', () => {
    clearInterval(guards)
    clearTimeout(longest)
  })
}

/** What has not left the machine is dropped, too: a client may not read it for long. */
function endUnfinished(ctx: HttpContext, error: unknown) {
  const { requestId, route, logger } = ctx
  const { socket } = ctx.request.request
  if (ctx.response.response.closed || socket.destroyed) return
  const facts = { requestId, route: route?.pattern, error: describeError(error) }
  logger.warn(facts, 'An export was ended before it was complete')
  socket.resetAndDestroy()
}

async function* inTurns(
  pieces: AsyncIterable<string>,
  caller: string,
  access: LastingAccess
): AsyncGenerator<string> {
  const iterator = pieces[Symbol.asyncIterator]()
  const detail = 'Too many exports are being read'
  const request = { caller, detail, maxWaitMs: MAX_WAIT_MS }
  try {
    for (;;) {
      const { done, value } = await inBudget(reading, request, () => iterator.next())
      if (done) return
      await access.confirmedWithin(limits.guardsEveryMs)
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
