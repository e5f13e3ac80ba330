import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'
import { reserveIn } from '#core/database/search_budget'
import { callerKey } from '#core/http/caller_name'
import { Budget } from '#core/values/budget'

/** An export reads a whole table for as long as its client reads the response, so few may run. */
const MAX_CONCURRENT = 2
const MAX_PER_CALLER = 1

const running = new Budget(MAX_CONCURRENT, MAX_PER_CALLER)

/**
 * The body of an export (conventions.md#exports). Each piece is read only when the client has read
 * the previous one.
 * @throws Overloaded if the export cannot start in time
 */
export async function openExport(
  ctx: HttpContext,
  pieces: AsyncIterable<string>
): Promise<Readable> {
  if (ctx.request.method() === 'HEAD') return Readable.from([])
  const stream = Readable.from(pieces, { highWaterMark: 1 })
  ctx.response.response.once('close', () => stream.destroy())
  const caller = { caller: callerKey(ctx), detail: 'Too many exports are in progress' }
  const reservation = await reserveIn(running, caller)
  if (stream.destroyed) {
    // The client disconnected while it waited.
    reservation.release()
    return Readable.from([])
  }
  // A batch that is being read when the client disconnects still counts.
  stream.once('close', () => reservation.release())
  return stream
}
