import type { HttpContext } from '@adonisjs/core/http'
import { ifMatch, tagged } from '#core/http/etag'
import { callerKey } from '#core/http/caller_name'
import { idParam, textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import { deleteVersion } from '#app/notifications/actions/delete_version'
import { findVersion } from '#app/notifications/actions/find_version'
import { previewVersion } from '#app/notifications/actions/preview_version'
import { saveVersion } from '#app/notifications/actions/save_version'
import NotificationTemplate from '#app/notifications/models/notification_template'
import type TemplateVersion from '#app/notifications/models/template_version'
import { versionsOf } from '#app/notifications/queries/version_list'
import { templateVersionResource } from '#app/notifications/transformers/template_resource'
import {
  previewValidator,
  saveVersionValidator,
} from '#app/notifications/validators/template_validator'

/** Language versions of named templates (notifications.md#language-versions). */
export default class TemplateVersionsController {
  /** List the language versions of a template. */
  async index(ctx: HttpContext) {
    const template = await NotificationTemplate.withId(idParam(ctx, 'id'))
    return successEnvelope((await versionsOf(template)).map(templateVersionResource))
  }

  /** Get a language version. */
  async show(ctx: HttpContext) {
    const version = await findVersion(idParam(ctx, 'id'), textParam(ctx, 'locale'))
    return successEnvelope(tagged(ctx, templateVersionResource(version)))
  }

  /**
   * Create or replace a language version. Each change makes a revision. `warnings` lists problems
   * that do not prevent saving, such as unknown variables.
   */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const texts = await saveVersionValidator.validate(ctx.request.body())
    const locale = textParam(ctx, 'locale')
    const requireFresh = ifMatch(
      ctx,
      (stored: TemplateVersion | null) => stored && templateVersionResource(stored)
    )
    const saving = { author: callerKey(ctx), requireFresh }
    const { version, warnings } = await saveVersion(id, locale, texts, saving)
    return successEnvelope({ ...tagged(ctx, templateVersionResource(version)), warnings })
  }

  /**
   * Delete a language version. With `dryRun=true`, nothing is deleted and the response lists what
   * would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const options = { dryRun, requireFresh: ifMatch(ctx, templateVersionResource) }
    const preview = await deleteVersion(idParam(ctx, 'id'), textParam(ctx, 'locale'), options)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }

  /**
   * Preview a language version, or a draft of it. The message is rendered as the caller would
   * receive it. `subject` and `body` replace the stored texts; nothing is stored.
   */
  async preview(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const locale = textParam(ctx, 'locale')
    const request = await previewValidator.validate(ctx.request.body())
    const { subject: subjectTemplate, body: bodyTemplate, data = {} } = request
    return successEnvelope(
      await previewVersion(id, locale, {
        data,
        draft: { subjectTemplate, bodyTemplate },
        viewer: ctx.caller.email,
        author: callerKey(ctx),
      })
    )
  }
}
