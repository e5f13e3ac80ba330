import type { HttpContext } from '@adonisjs/core/http'
import { emailParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { describeUser } from '#app/profiles/actions/describe_users'
import { changeIdentity } from '#app/identity_provider/user_lifecycle/change_identity'
import { identityValidator } from '#app/identity_provider/validators/identity_validator'

export default class IdentitiesController {
  /**
   * Bind a user record to an account. `null` releases the record: it then binds to the next
   * verified account with this address.
   */
  async update(ctx: HttpContext) {
    const email = emailParam(ctx)
    const { idpUserId } = await identityValidator.validate(ctx.request.body())
    const user = await changeIdentity(email, idpUserId)
    return successEnvelope(await describeUser(user, ctx.panelAccess))
  }
}
