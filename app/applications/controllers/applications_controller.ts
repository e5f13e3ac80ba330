import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { createApplication } from '#app/applications/actions/create_application'
import { deleteApplication } from '#app/applications/actions/delete_application'
import { updateApplication } from '#app/applications/actions/update_application'
import Application from '#app/applications/models/application'
import { applicationResource } from '#app/applications/transformers/application'
import {
  createApplicationValidator,
  updateApplicationValidator,
} from '#app/applications/validators/application_validator'

/** See applications.md#application-routes. */
export default class ApplicationsController {
  /** Lists the applications the caller may see (applications.md#visible-applications). */
  async index({ panelAccess }: HttpContext) {
    const applications = await Application.query().orderBy('id')
    const visible = applications.filter(({ code }) => panelAccess.holds('view', code))
    return successEnvelope(visible.map(applicationResource))
  }

  /** Reads an application. */
  async show(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    return successEnvelope(applicationResource(application))
  }

  /**
   * Creates an application with its notification type `generic`. Only super admins can set
   * `outsideRecipients`.
   */
  async store({ request, response, panelAccess }: HttpContext) {
    const input = await createApplicationValidator.validate(request.body())
    if (input.outsideRecipients) panelAccess.requireSuperAdmin()
    const application = await createApplication(input)
    return response.created(successEnvelope(applicationResource(application)))
  }

  /**
   * Changes an application; only the fields that are sent. Only super admins can change
   * `outsideRecipients`.
   */
  async update(ctx: HttpContext) {
    const changes = await updateApplicationValidator.validate(ctx.request.body())
    const application = await updateApplication(textParam(ctx, 'appCode'), changes, () =>
      ctx.panelAccess.requireSuperAdmin()
    )
    return successEnvelope(applicationResource(application))
  }

  /** Deletes an application with everything that belongs to it. */
  async destroy(ctx: HttpContext) {
    await deleteApplication(textParam(ctx, 'appCode'))
    return ctx.response.noContent()
  }
}
