import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import '#core/http/request_id'

/** Gives every answer the id under which the log knows the request. */
export default class RequestIdMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    ctx.response.header('x-request-id', ctx.requestId)
    // The framework copies the request's header into the answer once more, whatever it holds.
    ctx.request.request.headers['x-request-id'] = ctx.requestId
    return next()
  }
}
