import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'
import { inBudget, reserveIn } from '#core/database/search_budget'
import { callerKey } from '#core/http/caller_name'
import { Budget } from '#core/values/budget'

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
 * the previous one. In between, others read theirs.
 * @throws Overloaded if the export cannot start in time
 */
export async function openExport(
  ctx: HttpContext,
  pieces: AsyncIterable<string>
): Promise<Readable> {
  if (ctx.request.method() === 'HEAD') return Readable.from([])
  const caller = callerKey(ctx)
  const stream = Readable.from(inTurns(pieces, caller), { highWaterMark: 1 })
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
  return stream
}

async function* inTurns(pieces: AsyncIterable<string>, caller: string): AsyncGenerator<string> {
  const iterator = pieces[Symbol.asyncIterator]()
  const detail = 'Too many exports are being read'
  const request = { caller, detail, maxWaitMs: MAX_WAIT_MS }
  try {
    for (;;) {
      const { done, value } = await inBudget(reading, request, () => iterator.next())
      if (done) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
