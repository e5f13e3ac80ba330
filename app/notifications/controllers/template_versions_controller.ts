import type { HttpContext } from '@adonisjs/core/http'
import { callerKey } from '#core/http/caller_name'
import { idParam, textParam } from '#core/http/path_params'
import { success } from '#core/values/envelopes'
import { previewVersion } from '#app/notifications/actions/preview_version'
import { deleteVersion, saveVersion } from '#app/notifications/actions/save_version'
import NotificationTemplate from '#app/notifications/models/notification_template'
import { versionsOf } from '#app/notifications/queries/version_list'
import { templateVersionResource } from '#app/notifications/transformers/template'
import {
  previewValidator,
  saveVersionValidator,
} from '#app/notifications/validators/template_validator'

/** Language versions of named templates (specification 4.6, decisions 4.1). */
export default class TemplateVersionsController {
  /** Lists the language versions of a template. */
  async index(ctx: HttpContext) {
    const template = await NotificationTemplate.withId(idParam(ctx, 'id'))
    return success((await versionsOf(template)).map(templateVersionResource))
  }

  /**
   * Writes a language version. `warnings` name placeholders that are neither declared nor set by
   * the service.
   */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const texts = await saveVersionValidator.validate(ctx.request.body())
    const locale = textParam(ctx, 'locale')
    const { version, warnings } = await saveVersion(id, locale, texts, callerKey(ctx))
    return success({ ...templateVersionResource(version), warnings })
  }

  /** Deletes a language version. */
  async destroy(ctx: HttpContext) {
    await deleteVersion(idParam(ctx, 'id'), textParam(ctx, 'locale'))
    return ctx.response.noContent()
  }

  /** Renders a language version as the caller would get it. */
  async preview(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const { data = {} } = await previewValidator.validate(ctx.request.body())
    return success(await previewVersion(id, textParam(ctx, 'locale'), data, ctx.caller.email))
  }
}
