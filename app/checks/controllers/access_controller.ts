import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { explainPermission } from '#app/checks/actions/explain_permission'
import { listEffectivePermissions } from '#app/checks/actions/list_effective_permissions'
import { internalEffectivePermission } from '#app/checks/transformers/effective_permission_resource'
import { CheckRequest } from '#app/checks/validators/check_request'

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
    const permissions = await listEffectivePermissions(check)
    return successEnvelope(permissions.map(internalEffectivePermission))
  }

  /**
   * Explain a check of a user in an application. The explanation contains the rules that were
   * tried, the rows behind them, and the changes that would allow it.
   */
  async explain(ctx: HttpContext) {
    const body = new CheckRequest(ctx.request.body())
    const check = body.singleIn(textParam(ctx, 'appCode'), body.email())
    await Application.withCode(check.scope.app)
    return successEnvelope(await explainPermission(check))
  }
}
