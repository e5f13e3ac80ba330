import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { callerKey } from '#core/http/caller_name'
import { ReadTurns } from '#core/http/read_turns'

const turns = new ReadTurns()

/**
 * For reads whose responses can be large, and changes that return them. For reads it comes before
 * the guards of the route, because the caller's rights may change while the request waits.
 */
export default class ReadTurnMiddleware {
  /** @throws Overloaded if the turn does not come in time */
  handle(ctx: HttpContext, next: NextFn) {
    const { request, response } = ctx
    const target = `${request.method()} ${request.url(true)}`
    return turns.run({ caller: callerKey(ctx), target, response: response.response }, next)
  }
}
