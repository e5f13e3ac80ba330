import type { HttpContext } from '@adonisjs/core/http'
import { emailParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { ensureCaller } from '#app/profiles/actions/ensure_caller'
import { listOptions } from '#app/profiles/actions/list_options'
import { readOwnProfile } from '#app/profiles/actions/read_own_profile'
import { updateProfile } from '#app/profiles/actions/update_profile'
import { UserNotFound } from '#app/profiles/exceptions'
import { findProfile, profileOf } from '#app/profiles/queries/find_profile'
import { profileResource } from '#app/profiles/transformers/profile_resource'
import { updateProfileValidator } from '#app/profiles/validators/profile_validator'

/** See profiles.md#own-profile. */
export default class ProfileController {
  /** Get the caller's profile. A missing profile is created. */
  async mine({ caller }: HttpContext) {
    return successEnvelope(profileResource(await readOwnProfile(caller)))
  }

  /** List the options of a profile. They are the enabled languages, the brands and the themes. */
  async options() {
    return successEnvelope(await listOptions())
  }

  /**
   * Update the caller's profile. Only the fields in the request change, so a stored display name
   * does not follow a changed first name. Names are changed at the identity provider first.
   */
  async updateMine({ caller, request }: HttpContext) {
    const changes = await updateProfileValidator.validate(request.body())
    const user = await updateProfile(await ensureCaller(caller), caller.subject, changes)
    return successEnvelope(profileResource(await profileOf(user)))
  }

  /** Get a user's profile */
  async show(ctx: HttpContext) {
    const profile = await findProfile(emailParam(ctx))
    if (!profile) throw new UserNotFound()
    return successEnvelope(profileResource(profile))
  }
}
