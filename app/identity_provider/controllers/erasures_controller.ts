import type { HttpContext } from '@adonisjs/core/http'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import { emailParam } from '#core/http/path_params'
import { eraseUser } from '#app/identity_provider/user_lifecycle/erase_user'

/** See profiles.md#erasing-a-user. */
export default class ErasuresController {
  /**
   * Erase a user. Deletes the profile, preferences, subscriptions, inbox and assignments. Log
   * entries keep a pseudonym and lose their content. This cannot be undone. With `dryRun=true`,
   * nothing is erased and the response lists what would be deleted.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const preview = await eraseUser(emailParam(ctx), ctx.caller.email, dryRun)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
