import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { cancelNotification } from '#app/delivery/actions/cancel_notification'
import { type LogScope, findLogEntry, withinAccess } from '#app/delivery/actions/find_log_entry'
import { readLogEntry } from '#app/delivery/actions/read_log_entry'
import { resendNotification } from '#app/delivery/actions/resend_notification'
import { logEntryDetailsResource } from '#app/delivery/transformers/log_entry_details_resource'
import { messageBodyResource } from '#app/delivery/transformers/message_body_resource'
import { readShownBody } from '#app/notifications/actions/read_shown_body'

/** See delivery.md#log-entry-details. */
export default class LogEntriesController {
  /**
   * Get a notification of an application. Those of an earlier application with the same code are
   * hidden.
   */
  async show(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const entry = await readLogEntry(id, await scopeOf(ctx))
    return successEnvelope(logEntryDetailsResource(entry))
  }

  /**
   * Get the texts of a notification of an application, as they were rendered. They are left out if
   * they may quote sensitive values.
   */
  async body(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const notification = await findLogEntry(id, await scopeOf(ctx))
    return successEnvelope(messageBodyResource(await readShownBody(notification)))
  }

  /**
   * Send a failed notification again. It keeps its id and its `Message-ID` and is rendered again.
   * Notifications of system types and those with sensitive variables are refused.
   */
  async resend(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    return successEnvelope(await resendNotification(textParam(ctx, 'appCode'), id))
  }

  /**
   * Cancel a notification of an application that is still `scheduled`. It is then `skipped`, with
   * the reason `CANCELLED`, and stays in the inbox if it is there.
   */
  async cancel(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    return successEnvelope(await cancelNotification(id, await scopeOf(ctx)))
  }

  /** Get a notification. An application key sees only what its application has sent. */
  async showInternal(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const entry = await withinAccess(ctx.internalCaller, (scope) => readLogEntry(id, scope))
    return successEnvelope(logEntryDetailsResource(entry))
  }
}

/** Without entries of an earlier application with the same code. @throws ApplicationNotFound */
async function scopeOf(ctx: HttpContext): Promise<LogScope> {
  const { code: appCode, createdAt: since } = await Application.withCode(textParam(ctx, 'appCode'))
  return { appCode, since }
}
