import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { responseEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import NotificationType from '#app/notifications/models/notification_type'

/** Texts of notification types for user interfaces (notifications.md#type-texts, `i18n`). */
export default class TypeTextsController {
  /**
   * Reads the texts of an application's notification types. The locale is passed through: type
   * texts are stored without one.
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
