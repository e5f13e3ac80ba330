import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import Application from '#app/applications/models/application'
import { evaluateAccess } from '#app/authzen/actions/evaluate_access'
import { evaluateBatch } from '#app/authzen/actions/evaluate_batch'
import { type AccessDecision, accessDecision } from '#app/authzen/transformers/access_decision'
import { evaluationRequest, evaluationsRequest } from '#app/authzen/validators/evaluation_request'
import { decisionPointOf } from '#app/authzen/values/decision_point'

/** The metadata changes only with `APP_URL`. */
const CACHED = 'public, max-age=300'

/** The Authorization API 1.0 of OpenID AuthZEN (authzen.md). */
export default class AuthzenController {
  /** Get the metadata of an application's policy decision point. */
  async metadata(ctx: HttpContext) {
    const { code } = await Application.withCode(textParam(ctx, 'appCode'))
    ctx.response.header('cache-control', CACHED)
    return decisionPointOf(code)
  }

  /** Evaluate whether a subject may perform an action on a resource. A denial is not an error. */
  async evaluation(ctx: HttpContext) {
    const request = evaluationRequest(ctx.request.body())
    const outcome = await evaluateAccess(textParam(ctx, 'appCode'), request)
    return accessDecision(outcome, ctx.authzenCaller)
  }

  /**
   * Evaluate several questions at once. Without `evaluations`, the response is that of a single
   * evaluation.
   */
  async evaluations(ctx: HttpContext): Promise<AccessDecision | { evaluations: AccessDecision[] }> {
    const appCode = textParam(ctx, 'appCode')
    const asked = evaluationsRequest(ctx.request.body())
    if (!('requests' in asked)) {
      return accessDecision(await evaluateAccess(appCode, asked), ctx.authzenCaller)
    }
    const outcomes = await evaluateBatch(appCode, asked)
    return { evaluations: outcomes.map((outcome) => accessDecision(outcome, ctx.authzenCaller)) }
  }
}
