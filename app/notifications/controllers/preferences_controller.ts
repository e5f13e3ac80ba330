import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudgetIfLarge } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { idParam, textParam } from '#core/http/path_params'
import { responseEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { changePreferences } from '#app/notifications/actions/change_preferences'
import { listPreferences } from '#app/notifications/actions/list_preferences'
import { NotificationTypeNotFound, UnknownNotificationType } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'
import {
  changePreferenceValidator,
  changePreferencesValidator,
} from '#app/notifications/validators/preference_validator'
import { ensureCaller } from '#app/profiles/actions/ensure_caller'

/** See notifications.md#preference-routes. */
export default class PreferencesController {
  /** List the caller's notification preferences for an application. */
  async index(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const types = await NotificationType.query()
      .where('applicationId', application.id)
      .where('selfServiceEnabled', true)
      .orderBy('id')
    return responseEnvelope(await listPreferences(await ensureCaller(ctx.caller), types))
  }

  /** Update the caller's preference for a notification type. */
  async update(ctx: HttpContext) {
    const notificationTypeId = idParam(ctx, 'notificationTypeId')
    const switches = await changePreferenceValidator.validate(ctx.request.body())
    const user = await ensureCaller(ctx.caller)
    try {
      const [preference] = await changePreferences(user, [{ notificationTypeId, ...switches }])
      return responseEnvelope(preference)
    } catch (error) {
      // An unknown id is a missing resource in a path, and an invalid value in a body.
      if (error instanceof UnknownNotificationType) throw new NotificationTypeNotFound()
      throw error
    }
  }

  /** Update several notification preferences of the caller. Either all of them change or none. */
  async bulk(ctx: HttpContext) {
    const { updates } = await changePreferencesValidator.validate(ctx.request.body())
    const user = await ensureCaller(ctx.caller)
    const change = () => changePreferences(user, updates)
    return responseEnvelope(await inChangeBudgetIfLarge(changerOf(ctx), updates.length, change))
  }
}
