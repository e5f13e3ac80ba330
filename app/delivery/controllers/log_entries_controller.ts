import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { withinAccess } from '#app/delivery/actions/find_log_entry'
import { readLogEntry } from '#app/delivery/actions/read_log_entry'
import { resendNotification } from '#app/delivery/actions/resend_notification'
import { logEntryDetailsResource } from '#app/delivery/transformers/log_entry_details_resource'

/** See delivery.md#log-entry-details. */
export default class LogEntriesController {
  /**
   * Get a notification of an application. Those of an earlier application with the same code are
   * hidden.
   */
  async show(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const { code: appCode, createdAt: since } = await Application.withCode(
      textParam(ctx, 'appCode')
    )
    const entry = await readLogEntry(id, { appCode, since })
    return successEnvelope(logEntryDetailsResource(entry))
  }

  /**
   * Send a failed notification again. It keeps its id and its `Message-ID` and is rendered again.
   * Notifications of system types and those with sensitive variables are refused.
   */
  async resend(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    return successEnvelope(await resendNotification(textParam(ctx, 'appCode'), id))
  }

  /** Get a notification. An application key sees only what its application has sent. */
  async showInternal(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const entry = await withinAccess(ctx.internalCaller, (scope) => readLogEntry(id, scope))
    return successEnvelope(logEntryDetailsResource(entry))
  }
}
