import { ExceptionHandler, type HttpContext } from '@adonisjs/core/http'
import { MethodNotAllowed, Overloaded, Starting } from '#core/exceptions/problems'
import { problemDetails } from '#core/exceptions/problem_response'
import type { Problem } from '#core/exceptions/problem'
import { allowedMethods } from '#core/http/allowed_methods'
import { respondToOptions } from '#core/http/cross_origin'
import { describeError } from '#core/exceptions/describe_error'
import { logRefusal } from '#core/exceptions/log_refusal'
import { toProblem } from '#core/exceptions/to_problem'

export default class HttpExceptionHandler extends ExceptionHandler {
  override async handle(error: unknown, ctx: HttpContext) {
    const problem = toProblem(error)
    const isUnrouted = problem.kind.code === 'NOT_FOUND' && !ctx.route
    const methods = isUnrouted ? allowedMethods(ctx.request) : []
    // No route serves OPTIONS.
    if (methods.includes(ctx.request.method())) return respondToOptions(ctx, methods)
    this.#respond(methods.length > 0 ? notAllowed(methods) : problem, ctx)
  }

  /** Overload is counted but not logged, and neither is a process that is still starting. */
  override async report(error: unknown, ctx: HttpContext) {
    const problem = toProblem(error)
    if (problem.kind.status < 500) return logRefusal(problem, ctx)
    if (problem instanceof Overloaded || problem instanceof Starting) return
    ctx.logger.error(
      {
        requestId: ctx.requestId,
        route: ctx.route?.pattern,
        method: ctx.request.method(),
        code: problem.kind.code,
        error: describeError(problem.cause ?? error),
      },
      problem.message
    )
  }

  #respond(problem: Problem, ctx: HttpContext) {
    const render = ctx.renderProblem ?? problemDetails
    const { status, contentType, body } = render(problem, ctx)
    ctx.response.status(status).header('cache-control', 'no-store')
    for (const [name, value] of Object.entries(problem.headers)) ctx.response.header(name, value)
    ctx.response.header('content-type', contentType).send(body)
  }
}

function notAllowed(methods: string[]) {
  return new MethodNotAllowed({ headers: { allow: methods.join(', ') } })
}
