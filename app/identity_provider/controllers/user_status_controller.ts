import type { HttpContext } from '@adonisjs/core/http'
import { emailParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { describeUser } from '#app/profiles/actions/describe_users'
import { changeUserStatus } from '#app/identity_provider/user_lifecycle/change_user_status'
import { userStatusValidator } from '#app/identity_provider/validators/user_status_validator'

/** See identity-provider.md#changing-who-is-active. */
export default class UserStatusController {
  /**
   * Deactivate or reactivate a user. The change is also made at the identity provider if the
   * service account is permitted to. Super admins cannot deactivate themselves.
   */
  async update(ctx: HttpContext) {
    const email = emailParam(ctx)
    const { active } = await userStatusValidator.validate(ctx.request.body())
    const { user, identityProvider } = await changeUserStatus(email, active, ctx.caller.email)
    return successEnvelope({ ...(await describeUser(user, ctx.panelAccess)), identityProvider })
  }
}
