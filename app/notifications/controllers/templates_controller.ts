import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import {
  createTemplate,
  deleteTemplate,
  updateTemplate,
} from '#app/notifications/actions/save_template'
import NotificationType from '#app/notifications/models/notification_type'
import { templateList } from '#app/notifications/queries/template_list'
import { templateResource } from '#app/notifications/transformers/template'
import {
  createTemplateValidator,
  updateTemplateValidator,
} from '#app/notifications/validators/template_validator'

/** Named templates (notifications.md#template-routes), for other services and for the panel. */
export default class TemplatesController {
  /** Lists the named templates of an application. */
  async ofApplication(ctx: HttpContext) {
    const { id } = await Application.withCode(textParam(ctx, 'appCode'))
    const templates = await templateList().whereHas('notificationType', (type) =>
      type.where('applicationId', id)
    )
    return successEnvelope(templates.map(templateResource))
  }

  /** Lists the named templates of a notification type, with their locales. */
  async ofType(ctx: HttpContext) {
    const { id } = await NotificationType.of(textParam(ctx, 'appCode'), textParam(ctx, 'type'))
    const templates = await templateList().where('notificationTypeId', id)
    return successEnvelope(templates.map(templateResource))
  }

  /** Creates a named template. */
  async store(ctx: HttpContext) {
    const fields = await createTemplateValidator.validate(ctx.request.body())
    const appCode = textParam(ctx, 'appCode')
    const template = await createTemplate(appCode, textParam(ctx, 'type'), fields)
    return ctx.response.created(successEnvelope(templateResource(template)))
  }

  /** Changes name, description and variables of a template. */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const changes = await updateTemplateValidator.validate(ctx.request.body())
    return successEnvelope(templateResource(await updateTemplate(id, changes)))
  }

  /** Deletes a template with its language versions. */
  async destroy(ctx: HttpContext) {
    await deleteTemplate(idParam(ctx, 'id'))
    return ctx.response.noContent()
  }
}
