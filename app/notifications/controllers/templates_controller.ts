import type { HttpContext } from '@adonisjs/core/http'
import { ifMatch, tagged } from '#core/http/etag'
import { listValidator, readList } from '#core/http/lists'
import { idParam, textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { createTemplate } from '#app/notifications/actions/create_template'
import { deleteTemplate } from '#app/notifications/actions/delete_template'
import { updateTemplate } from '#app/notifications/actions/update_template'
import NotificationType from '#app/notifications/models/notification_type'
import { templateList } from '#app/notifications/queries/template_list'
import { templateResource } from '#app/notifications/transformers/template_resource'
import {
  createTemplateValidator,
  updateTemplateValidator,
} from '#app/notifications/validators/template_validator'

/** See notifications.md#template-routes. */
export default class TemplatesController {
  /** List the templates of an application. */
  async ofApplication(ctx: HttpContext) {
    const { id } = await Application.withCode(textParam(ctx, 'appCode'))
    const request = await listValidator.validate(ctx.request.qs())
    const templates = await readList(
      ctx,
      (client) =>
        templateList(client).whereHas('notificationType', (type) =>
          type.where('applicationId', id)
        ),
      request,
      ['key', 'name']
    )
    return successEnvelope(templates.map(templateResource))
  }

  /** List the templates of a notification type. */
  async ofType(ctx: HttpContext) {
    const { id } = await NotificationType.of(textParam(ctx, 'appCode'), textParam(ctx, 'type'))
    const request = await listValidator.validate(ctx.request.qs())
    const templates = await readList(
      ctx,
      (client) => templateList(client).where('notificationTypeId', id),
      request,
      ['key', 'name']
    )
    return successEnvelope(templates.map(templateResource))
  }

  /** Create a template. */
  async store(ctx: HttpContext) {
    const fields = await createTemplateValidator.validate(ctx.request.body())
    const appCode = textParam(ctx, 'appCode')
    const template = await createTemplate(appCode, textParam(ctx, 'type'), fields)
    return ctx.response.created(successEnvelope(tagged(ctx, templateResource(template))))
  }

  /** Update a template. Only the fields that are sent change. */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const changes = await updateTemplateValidator.validate(ctx.request.body())
    const template = await updateTemplate(id, changes, ifMatch(ctx, templateResource))
    return successEnvelope(tagged(ctx, templateResource(template)))
  }

  /**
   * Delete a template. Its language versions are deleted too. With `dryRun=true`, nothing is
   * deleted and the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const options = { dryRun, requireFresh: ifMatch(ctx, templateResource) }
    const preview = await deleteTemplate(idParam(ctx, 'id'), options)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
