import type { HttpContext } from '@adonisjs/core/http'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { ensureCaller } from '#app/profiles/actions/ensure_caller'
import { recordActivity } from '#app/profiles/actions/record_activity'
import { recordLogin } from '#app/profiles/actions/record_login'
import { recordLogout } from '#app/profiles/actions/record_logout'
import { updatePreference } from '#app/profiles/actions/update_preference'
import {
  existingPreferences,
  preferenceResource,
} from '#app/profiles/transformers/preference_resource'
import { updatePreferenceValidator } from '#app/profiles/validators/profile_validator'

/** See profiles.md#preference-routes. */
export default class PreferencesController {
  /** List the caller's preferences. There is one for each application that the caller has used. */
  async index({ caller }: HttpContext) {
    const user = await ensureCaller(caller)
    await user.load('preferences', (own) => own.preload('application').orderBy('id'))
    return successEnvelope(
      existingPreferences(user).map((preference) =>
        preferenceResource(preference.application.code, preference)
      )
    )
  }

  /**
   * Record the caller's login. Frontends call this once per login to an application: each call
   * counts as a login. The response is the caller's preference.
   */
  async bootstrap(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const user = await ensureCaller(ctx.caller)
    const preference = await recordLogin(user, application, 'frontend')
    return successEnvelope(preferenceResource(application.code, preference))
  }

  /** Update the caller's preference */
  async update(ctx: HttpContext) {
    const changes = await updatePreferenceValidator.validate(ctx.request.body())
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const preference = await updatePreference(await ensureCaller(ctx.caller), application, changes)
    return successEnvelope(preferenceResource(application.code, preference))
  }

  /** Record the caller's activity. It is written at most every five minutes per application. */
  async activity(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const user = await ensureCaller(ctx.caller)
    const { recorded, lastActivityAt } = await recordActivity(user, application)
    return successEnvelope({ recorded, lastActivityAt: isoTimestamp(lastActivityAt) })
  }

  /**
   * Record the caller's logout. At most 100 logins and logouts are stored per user, application
   * and day.
   */
  async logout(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const recorded = await recordLogout(ctx.caller.email, application, 'frontend')
    return successEnvelope({ recorded })
  }
}
