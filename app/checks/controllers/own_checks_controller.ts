import type { HttpContext } from '@adonisjs/core/http'
import { responseEnvelope } from '#core/values/envelopes'
import { checkPermission, checkPermissions } from '#app/checks/actions/check_permissions'
import { explainOwnPermission } from '#app/checks/actions/explain_permission'
import { listOwnPermissions } from '#app/checks/actions/list_effective_permissions'
import { readAdminStatus } from '#app/checks/actions/read_admin_status'
import { ownEffectivePermission } from '#app/checks/transformers/effective_permission'
import { CheckRequest } from '#app/checks/validators/check_request'

/**
 * The same checks for the caller's own rights: who is asked about comes from the token alone (checks.md#own-checks).
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

  /**
   * Lists every permission of an application with what the caller holds of it. The list is empty if
   * membership is `granted` and the caller is not a member.
   */
  async effective({ request, caller }: HttpContext) {
    const body = new CheckRequest(request.body())
    const permissions = await listOwnPermissions(body.effective(caller.email))
    return permissions.map(ownEffectivePermission)
  }

  /**
   * Explains a check of the caller: the rules that were tried, the rows behind them and what would
   * allow it. If the caller holds nothing in the application, the answer is the same as for one
   * that does not exist.
   */
  async explain({ request, caller, panelAccess }: HttpContext) {
    const question = new CheckRequest(request.body()).single(caller.email)
    const [{ app }] = question
    return explainOwnPermission(panelAccess.holds('view', app), ...question)
  }

  /** Reads what the caller may administer (authentication.md#admin-status). */
  async adminStatus({ caller }: HttpContext) {
    return responseEnvelope(await readAdminStatus(caller.email))
  }
}
