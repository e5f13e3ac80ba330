import type { HttpContext } from '@adonisjs/core/http'
import { dataEnvelope, successEnvelope } from '#core/values/envelopes'
import { checkPermission, checkPermissions } from '#app/checks/actions/check_permissions'
import { clearDecisions, clearDecisionsEverywhere } from '#app/checks/actions/clear_decisions'
import { explainPermission } from '#app/checks/actions/explain_permission'
import { listEffectivePermissions } from '#app/checks/actions/list_effective_permissions'
import { internalEffectivePermission } from '#app/checks/transformers/effective_permission'
import { cacheClearValidator } from '#app/checks/validators/cache_clear_validator'
import { CheckRequest } from '#app/checks/validators/check_request'

/** Checks by e-mail for servers in the private network (checks.md#check-routes). */
export default class ChecksController {
  /** Checks whether a person holds a permission. */
  async check({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    return dataEnvelope({ allowed: await checkPermission(...body.single(body.email())) })
  }

  /** Checks many permissions of a person at once. */
  async bulk({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    return dataEnvelope(await checkPermissions(...body.bulk(body.email())))
  }

  /** Lists every permission of an application with what a person holds of it. */
  async effective({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    const permissions = await listEffectivePermissions(body.effective(body.email()))
    return dataEnvelope(permissions.map(internalEffectivePermission))
  }

  /**
   * Explains a check: the rules that were tried, the rows behind them and what would allow it
   * (checks.md#explanations).
   */
  async explain({ request }: HttpContext) {
    const body = new CheckRequest(request.body())
    return dataEnvelope(await explainPermission(...body.single(body.email())))
  }

  /** Empties this process's decision cache; with `everywhere`, those of all processes. */
  async clearCache({ request }: HttpContext) {
    const { everywhere } = await cacheClearValidator.validate(request.qs())
    if (everywhere === 'true' || everywhere === '1') await clearDecisionsEverywhere()
    else clearDecisions()
    return successEnvelope({ cleared: true as const })
  }
}
