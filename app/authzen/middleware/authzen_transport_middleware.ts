import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { renderAuthzenError } from '#app/authzen/values/authzen_error'

/** Errors and request ids as the standard wants them. Runs before everything that can fail. */
export default class AuthzenTransportMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    ctx.renderProblem = renderAuthzenError
    if (ctx.sentRequestId !== undefined) returnRequestId(ctx, ctx.sentRequestId)
    return next()
  }
}

/** As it was sent, even if it is not fit for a log. */
function returnRequestId({ request, response }: HttpContext, id: string) {
  response.header('x-request-id', id)
  // The framework copies it into the response once more.
  request.request.headers['x-request-id'] = id
}
