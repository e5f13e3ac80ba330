import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { callerKey } from '#core/http/caller_name'
import { readTurns } from '#core/http/read_turns'
import { inGuardedTurn } from '#core/http/repeat_guards'

/**
 * For reads whose responses can be large, and changes that return them. For reads it comes before
 * what guards the resource, because the caller's rights may change while the request waits.
 */
export default class ReadTurnMiddleware {
  /**
   * @throws Overloaded if the turn does not come in time; Problem if an earlier guard would refuse
   *   the caller then
   */
  handle(ctx: HttpContext, next: NextFn) {
    const { request, response } = ctx
    // What changes and previews return depends on their bodies.
    const target = ['GET', 'HEAD'].includes(request.method())
      ? `${request.method()} ${request.url(true)}`
      : null
    const read = { caller: callerKey(ctx), target, response: response.response }
    return inGuardedTurn(ctx, (begin) => readTurns.run(read, begin), next)
  }
}
