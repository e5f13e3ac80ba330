import type { HttpContext } from '@adonisjs/core/http'
import { inRightsTurn } from '#core/http/rights_turn'
import { responseEnvelope } from '#core/values/envelopes'
import { checkOwnPermission, checkPermissions } from '#app/checks/actions/check_permissions'
import { explainOwnPermission } from '#app/checks/actions/explain_permission'
import { listOwnPermissions } from '#app/checks/actions/list_effective_permissions'
import { readAdminStatus } from '#app/checks/actions/read_admin_status'
import { ownEffectivePermission } from '#app/checks/transformers/effective_permission_resource'
import { CheckRequest } from '#app/checks/validators/check_request'

/** See checks.md#own-checks. */
export default class OwnChecksController {
  /** Check a permission of the caller. */
  async check(ctx: HttpContext) {
    const check = new CheckRequest(ctx.request.body(), { isOwn: true }).single(ctx.caller.email)
    return { allowed: await checkOwnPermission(check) }
  }

  /** Check several permissions of the caller. */
  async bulk(ctx: HttpContext) {
    const body = new CheckRequest(ctx.request.body(), { isOwn: true })
    const checks = body.bulk(ctx.caller.email)
    return inRightsTurn(ctx, () => checkPermissions(checks))
  }

  /**
   * List the effective permissions of the caller. All permissions of the application are listed.
   * The list is empty if the membership is `granted` and the caller is not a member.
   */
  async effective(ctx: HttpContext) {
    const body = new CheckRequest(ctx.request.body(), { isOwn: true })
    const check = body.effective(ctx.caller.email)
    const permissions = await inRightsTurn(ctx, () => listOwnPermissions(check))
    return permissions.map(ownEffectivePermission)
  }

  /**
   * Explain a check of the caller. The explanation contains the rules that were tried, the rows
   * behind them, and the changes that would allow it. If the caller has no access to the
   * application, the response is the same as for an application that does not exist.
   */
  async explain(ctx: HttpContext) {
    const check = new CheckRequest(ctx.request.body(), { isOwn: true }).single(ctx.caller.email)
    return inRightsTurn(ctx, () =>
      explainOwnPermission(check, ctx.panelAccess.holds('view', check.scope.app))
    )
  }

  /** Get what the caller can administer. */
  async adminStatus({ caller, panelAccess }: HttpContext) {
    return responseEnvelope(await readAdminStatus(caller.email, panelAccess))
  }
}
