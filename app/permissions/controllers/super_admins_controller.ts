import type { HttpContext } from '@adonisjs/core/http'
import { emailParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import { addSuperAdmin } from '#app/permissions/actions/add_super_admin'
import { removeSuperAdmin } from '#app/permissions/actions/remove_super_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import { superAdminResource } from '#app/permissions/transformers/assignment_resources'
import { administratorValidator } from '#app/permissions/validators/assignment_validator'

/** See permissions.md#super-admins. */
export default class SuperAdminsController {
  /** List the super admins. */
  async index(ctx: HttpContext) {
    const admins = await readFresh(ctx, (client) => SuperAdmin.query({ client }).orderBy('id'))
    return successEnvelope(admins.map(superAdminResource))
  }

  /**
   * Add a super admin. The time window of an existing one is replaced.
   */
  async store({ request, response, caller }: HttpContext) {
    const { email, ...window } = await administratorValidator.validate(request.body())
    const { admin, created } = await addSuperAdmin(email, window, caller.email)
    return response.status(created ? 201 : 200).send(successEnvelope(superAdminResource(admin)))
  }

  /**
   * Remove a super admin. Super admins cannot remove themselves, and the last active one cannot be
   * removed. With `dryRun=true`, nothing is deleted and the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const preview = await removeSuperAdmin(emailParam(ctx), ctx.caller.email, dryRun)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
