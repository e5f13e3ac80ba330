import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudget } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { listValidator, readList } from '#core/http/lists'
import { textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import { createApplication } from '#app/applications/actions/create_application'
import { deleteApplication } from '#app/applications/actions/delete_application'
import { updateApplication } from '#app/applications/actions/update_application'
import Application from '#app/applications/models/application'
import { visibleApplicationIds } from '#app/applications/queries/visible_application_ids'
import {
  applicationResource,
  shownApplicationResource,
} from '#app/applications/transformers/application_resource'
import {
  createApplicationValidator,
  updateApplicationValidator,
} from '#app/applications/validators/application_validator'

/** See applications.md#application-routes. */
export default class ApplicationsController {
  /** List the applications that the caller can see. */
  async index(ctx: HttpContext) {
    const request = await listValidator.validate(ctx.request.qs())
    const visible = await visibleApplicationIds(ctx.panelAccess)
    const applications = await readList(
      ctx,
      (client) => Application.query({ client }).whereIn('id', visible),
      request,
      ['code', 'name']
    )
    return successEnvelope(
      applications.map((application) => shownApplicationResource(application, ctx.panelAccess))
    )
  }

  /** Get an application. */
  async show(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    return successEnvelope(shown(ctx, application))
  }

  /**
   * Create an application. It starts with the notification type `generic`. Only super admins can
   * set `outsideRecipients`.
   */
  async store(ctx: HttpContext) {
    const { request, response, panelAccess } = ctx
    const input = await createApplicationValidator.validate(request.body())
    if (input.outsideRecipients) panelAccess.requireSuperAdmin()
    const application = await createApplication(input)
    return response.created(successEnvelope(shown(ctx, application)))
  }

  /**
   * Update an application. Fields that are not sent stay as they are. Only super admins can change
   * `outsideRecipients`.
   */
  async update(ctx: HttpContext) {
    const changes = await updateApplicationValidator.validate(ctx.request.body())
    const application = await updateApplication(
      textParam(ctx, 'appCode'),
      changes,
      () => ctx.panelAccess.requireSuperAdmin(),
      ifMatch(ctx, applicationResource)
    )
    return successEnvelope(shown(ctx, application))
  }

  /**
   * Delete an application. Everything in the application is deleted with it. With `dryRun=true`,
   * nothing is deleted and the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const options = { dryRun, requireFresh: ifMatch(ctx, applicationResource) }
    const preview = await inChangeBudget(changerOf(ctx), () =>
      deleteApplication(textParam(ctx, 'appCode'), options)
    )
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}

/** The tag covers what is stored, whoever reads it. */
function shown(ctx: HttpContext, application: Application) {
  tagged(ctx, applicationResource(application))
  return shownApplicationResource(application, ctx.panelAccess)
}
