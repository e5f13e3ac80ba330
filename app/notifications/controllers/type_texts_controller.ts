import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { responseEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import NotificationType from '#app/notifications/models/notification_type'

/** See notifications.md#type-texts. */
export default class TypeTextsController {
  /**
   * Get the texts of an application's notification types. They are stored in one language only, so
   * the response is the same for every locale.
   */
  async index(ctx: HttpContext) {
    textParam(ctx, 'locale')
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const types = await NotificationType.query()
      .where('applicationId', application.id)
      .orderBy('id')
    const texts: Record<string, string> = {}
    for (const { code, name, description } of types) {
      texts[`notifications.types.${code}.title`] = name
      if (description !== null) texts[`notifications.types.${code}.description`] = description
    }
    return responseEnvelope(texts)
  }
}
