import type { HttpContext } from '@adonisjs/core/http'
import { dataEnvelope, successEnvelope } from '#core/values/envelopes'
import { checkPermission, checkPermissions } from '#app/checks/actions/check_permissions'
import { clearDecisions, clearDecisionsEverywhere } from '#app/checks/actions/clear_decisions'
import { explainPermission } from '#app/checks/actions/explain_permission'
import { listEffectivePermissions } from '#app/checks/actions/list_effective_permissions'
import { internalEffectivePermission } from '#app/checks/transformers/effective_permission_resource'
import { validityHeaders } from '#app/checks/transformers/validity_headers'
import { cacheClearValidator } from '#app/checks/validators/cache_clear_validator'
import { CheckRequest } from '#app/checks/validators/check_request'

/** See checks.md#check-routes. */
export default class ChecksController {
  /** Check a permission of a user. */
  async check(ctx: HttpContext) {
    const body = new CheckRequest(ctx.request.body())
    const allowed = await checkPermission(body.single(body.email()), validityHeaders(ctx))
    return dataEnvelope({ allowed })
  }

  /** Check several permissions of a user. */
  async bulk(ctx: HttpContext) {
    const body = new CheckRequest(ctx.request.body())
    return dataEnvelope(await checkPermissions(body.bulk(body.email()), validityHeaders(ctx)))
  }

  /** List the effective permissions of a user. All permissions of the application are listed. */
  async effective({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    const permissions = await listEffectivePermissions(body.effective(body.email()))
    return dataEnvelope(permissions.map(internalEffectivePermission))
  }

  /**
   * Explain a check. The explanation contains the rules that were tried, the rows behind them, and
   * the changes that would allow it.
   */
  async explain({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    return dataEnvelope(await explainPermission(body.single(body.email())))
  }

  /** Clear the decision cache. With `everywhere`, the caches of all processes are cleared. */
  async clearCache({ request }: HttpContext) {
    const { everywhere } = await cacheClearValidator.validate(request.qs())
    if (everywhere) await clearDecisionsEverywhere()
    else clearDecisions()
    return successEnvelope({ cleared: true as const })
  }
}
