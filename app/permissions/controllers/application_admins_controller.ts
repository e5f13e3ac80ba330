import type { HttpContext } from '@adonisjs/core/http'
import { emailParam, textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { removeApplicationAdmin } from '#app/permissions/actions/remove_application_admin'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import { applicationAdminResource } from '#app/permissions/transformers/assignment_resources'
import { administratorValidator } from '#app/permissions/validators/assignment_validator'

/** See permissions.md#application-administrators. */
export default class ApplicationAdminsController {
  /** List the administrators of an application. */
  async index(ctx: HttpContext) {
    const { id, code } = await Application.withCode(textParam(ctx, 'appCode'))
    const admins = await readFresh(ctx, (client) =>
      ApplicationAdmin.query({ client }).where('applicationId', id).orderBy('id')
    )
    return successEnvelope(admins.map((admin) => applicationAdminResource(code, admin)))
  }

  /**
   * Add an application administrator. The time window of an existing one is replaced.
   */
  async store(ctx: HttpContext) {
    const appCode = textParam(ctx, 'appCode')
    const { email, ...window } = await administratorValidator.validate(ctx.request.body())
    const { admin, created } = await addApplicationAdmin(email, appCode, window)
    return ctx.response
      .status(created ? 201 : 200)
      .send(successEnvelope(applicationAdminResource(appCode, admin)))
  }

  /**
   * Remove an application administrator. With `dryRun=true`, nothing is deleted and the response
   * lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const appCode = textParam(ctx, 'appCode')
    const preview = await removeApplicationAdmin(emailParam(ctx), appCode, dryRun)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
