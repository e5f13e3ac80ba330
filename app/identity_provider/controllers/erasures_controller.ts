import type { HttpContext } from '@adonisjs/core/http'
import { emailParam } from '#core/http/path_params'
import { eraseUser } from '#app/identity_provider/user_lifecycle/erase_user'

/** See profiles.md#erasing-a-person. */
export default class ErasuresController {
  /**
   * Erase a user. Deletes the profile, preferences, subscriptions, inbox and assignments. Log
   * entries keep a pseudonym and lose their content. This cannot be undone.
   */
  async destroy(ctx: HttpContext) {
    await eraseUser(emailParam(ctx), ctx.caller.email)
    return ctx.response.noContent()
  }
}
