import type { HttpContext } from '@adonisjs/core/http'
import { isoTimestamp } from '#core/database/columns'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { ensureCaller } from '#app/profiles/actions/ensure_caller'
import { recordActivity } from '#app/profiles/actions/record_activity'
import { recordLogin } from '#app/profiles/actions/record_login'
import { recordLogout } from '#app/profiles/actions/record_logout'
import { updatePreference } from '#app/profiles/actions/update_preference'
import { existingPreferences, preferenceResource } from '#app/profiles/transformers/preference'
import { updatePreferenceValidator } from '#app/profiles/validators/profile_validator'

/** The caller's preferences per application, and what their frontends report (profiles.md#preference-routes). */
export default class PreferencesController {
  /** Lists the caller's preferences per application. */
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
   * Records a login of the caller into an application and reads their preference. Frontends call it
   * once per login: each call is a real one.
   */
  async bootstrap(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const user = await ensureCaller(ctx.caller)
    const preference = await recordLogin(user, application, 'frontend')
    return successEnvelope(preferenceResource(application.code, preference))
  }

  /** Changes the caller's preference for an application. */
  async update(ctx: HttpContext) {
    const changes = await updatePreferenceValidator.validate(ctx.request.body())
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const preference = await updatePreference(await ensureCaller(ctx.caller), application, changes)
    return successEnvelope(preferenceResource(application.code, preference))
  }

  /** Reports activity of the caller in an application. It is written at most every five minutes. */
  async activity(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const user = await ensureCaller(ctx.caller)
    const { recorded, lastActivityAt } = await recordActivity(user, application)
    return successEnvelope({ recorded, lastActivityAt: isoTimestamp(lastActivityAt) })
  }

  /**
   * Reports a logout of the caller from an application. At most 100 logins and logouts are recorded
   * per person, application and day.
   */
  async logout(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const recorded = await recordLogout(ctx.caller.email, application, 'frontend')
    return successEnvelope({ recorded })
  }
}
