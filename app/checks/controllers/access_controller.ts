import type { HttpContext } from '@adonisjs/core/http'
import { callerKey } from '#core/http/caller_name'
import { inRightsTurn } from '#core/http/rights_turn'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { explainToPanel } from '#app/checks/actions/explain_permission'
import { listEffectivePermissions } from '#app/checks/actions/list_effective_permissions'
import { searchSubjects } from '#app/checks/actions/search_subjects'
import { internalEffectivePermission } from '#app/checks/transformers/effective_permission_resource'
import { subjectPage } from '#app/checks/transformers/search_results'
import { CheckRequest } from '#app/checks/validators/check_request'
import { SearchRequest } from '#app/checks/validators/search_request'

/** See checks.md#checks-for-administrators. */
export default class AccessController {
  /**
   * List the effective permissions of a user in an application. All permissions of the
   * application are listed.
   */
  async effective(ctx: HttpContext) {
    const body = new CheckRequest(ctx.request.body())
    const check = body.effectiveIn(textParam(ctx, 'appCode'), body.email())
    await Application.withCode(check.scope.app)
    const permissions = await inRightsTurn(ctx, () => listEffectivePermissions(check))
    return successEnvelope(permissions.map(internalEffectivePermission))
  }

  /**
   * Explain a check of a user in an application. The explanation contains the rules that were
   * tried, the rows behind them, and the changes that would allow it. Users who do not belong to
   * the application are explained as new users to callers who cannot look up users.
   */
  async explain(ctx: HttpContext) {
    const body = new CheckRequest(ctx.request.body())
    const check = body.singleIn(textParam(ctx, 'appCode'), body.email())
    await Application.withCode(check.scope.app)
    return successEnvelope(
      await inRightsTurn(ctx, () => explainToPanel(check, ctx.panelAccess.mayReadUsers))
    )
  }

  /** List the users to whom a check in an application is allowed. */
  async searchSubjects(ctx: HttpContext) {
    const { search, page } = new SearchRequest(ctx.request.body()).subjectsIn(
      textParam(ctx, 'appCode')
    )
    const caller = callerKey(ctx)
    const found = await inRightsTurn(ctx, () => searchSubjects(search, page, caller))
    return successEnvelope(subjectPage(found))
  }
}
