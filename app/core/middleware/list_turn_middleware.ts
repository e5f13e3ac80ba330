import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { callerKey } from '#core/http/caller_name'
import { ListTurns } from '#core/http/list_turns'

const turns = new ListTurns()

/**
 * For lists that are not paged, and changes that return them. For lists it comes before the guards
 * of the route, because the caller's rights may change while the request waits.
 */
export default class ListTurnMiddleware {
  /** @throws Overloaded if the list cannot be read in time */
  handle(ctx: HttpContext, next: NextFn) {
    const { request, response } = ctx
    const list = `${request.method()} ${request.url(true)}`
    return turns.run({ caller: callerKey(ctx), list, response: response.response }, next)
  }
}
