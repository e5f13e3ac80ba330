import type { HttpContext } from '@adonisjs/core/http'
import { emailParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { changeUserPreference } from '#app/profiles/actions/change_user_preference'
import ApplicationPreference from '#app/profiles/models/application_preference'
import User from '#app/profiles/models/user'
import { preferenceResource } from '#app/profiles/transformers/preference_resource'
import { updatePreferenceValidator } from '#app/profiles/validators/profile_validator'

/** See profiles.md#preferences-of-another-user. */
export default class UserPreferencesController {
  /**
   * Get a user's preference. If there is none, the defaults are returned and nothing is created.
   * Only callers who can read profiles learn that a user has no record.
   */
  async show(ctx: HttpContext) {
    const { id: applicationId, code } = await Application.withCode(textParam(ctx, 'appCode'))
    const email = emailParam(ctx)
    const user = ctx.panelAccess.mayReadUsers
      ? await User.withEmail(email)
      : await User.findBy({ email })
    const key = user && { userId: user.id, applicationId }
    const preference =
      (key && (await ApplicationPreference.findBy(key))) ?? ApplicationPreference.withDefaults(key)
    return successEnvelope(preferenceResource(code, preference))
  }

  /** Update a user's preference. Records neither a login nor activity. */
  async update(ctx: HttpContext) {
    const changes = await updatePreferenceValidator.validate(ctx.request.body())
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const user = await User.withEmail(emailParam(ctx))
    const preference = await changeUserPreference(user, application, changes)
    return successEnvelope(preferenceResource(application.code, preference))
  }
}
