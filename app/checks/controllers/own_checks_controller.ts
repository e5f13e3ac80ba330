import type { HttpContext } from '@adonisjs/core/http'
import { ok } from '#core/values/envelopes'
import { checkPermission, checkPermissions } from '#app/checks/actions/check_permissions'
import { explainPermission } from '#app/checks/actions/explain_permission'
import { listEffectivePermissions } from '#app/checks/actions/list_effective_permissions'
import { readAdminStatus } from '#app/checks/actions/read_admin_status'
import { ownEffectivePermission } from '#app/checks/transformers/effective_permission'
import { CheckRequest } from '#app/checks/validators/check_request'

/**
 * The same checks for the caller's own rights: who is asked about comes from the token alone (specification 4.1).
 */
export default class OwnChecksController {
  /** Checks whether the caller holds a permission. */
  async check({ request, caller }: HttpContext) {
    const body = new CheckRequest(request.body())
    return { allowed: await checkPermission(...body.single(caller.email)) }
  }

  /** Checks many permissions of the caller at once. */
  async bulk({ request, caller }: HttpContext) {
    const body = new CheckRequest(request.body())
    return checkPermissions(...body.bulk(caller.email))
  }

  /** Lists every permission of an application with what the caller holds of it. */
  async effective({ request, caller }: HttpContext) {
    const body = new CheckRequest(request.body())
    const permissions = await listEffectivePermissions(body.effective(caller.email))
    return permissions.map(ownEffectivePermission)
  }

  /**
   * Explains a check of the caller: the rules that were tried, the rows behind them and what would
   * allow it (decisions 3.11).
   */
  async explain({ request, caller }: HttpContext) {
    const body = new CheckRequest(request.body())
    return explainPermission(...body.single(caller.email))
  }

  /** Reads what the caller may administer (specification 2.11). */
  async adminStatus({ caller }: HttpContext) {
    return ok(await readAdminStatus(caller.email))
  }
}
