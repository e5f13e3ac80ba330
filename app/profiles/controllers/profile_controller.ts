import type { HttpContext } from '@adonisjs/core/http'
import { emailParam } from '#core/http/path_params'
import { success } from '#core/values/envelopes'
import { ensureCaller } from '#app/profiles/actions/ensure_caller'
import { updateProfile } from '#app/profiles/actions/update_profile'
import User from '#app/profiles/models/user'
import { profileResource } from '#app/profiles/transformers/profile'
import { updateProfileValidator } from '#app/profiles/validators/profile_validator'

/** Specification 4.1. */
export default class ProfileController {
  /** The caller's own, created when missing. */
  async mine({ caller }: HttpContext) {
    return success(await profileResource(await ensureCaller(caller)))
  }

  async updateMine({ caller, request }: HttpContext) {
    const changes = await updateProfileValidator.validate(request.body())
    const user = await updateProfile(await ensureCaller(caller), changes)
    return success(await profileResource(user))
  }

  async show(ctx: HttpContext) {
    return success(await profileResource(await User.withEmail(emailParam(ctx))))
  }
}
