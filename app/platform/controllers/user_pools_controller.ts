import type { HttpContext } from '@adonisjs/core/http'
import { ifMatch, tagged } from '#core/http/etag'
import { idParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import { createUserPool } from '#app/platform/actions/create_user_pool'
import { deleteUserPool } from '#app/platform/actions/delete_user_pool'
import { updateUserPool } from '#app/platform/actions/update_user_pool'
import UserPool from '#app/platform/models/user_pool'
import { userPoolResource } from '#app/platform/transformers/user_pool_resource'
import {
  createUserPoolValidator,
  updateUserPoolValidator,
} from '#app/platform/validators/user_pool_validator'

/** See platform.md#user-pools. */
export default class UserPoolsController {
  /** List the user pools. */
  async index() {
    const pools = await UserPool.query()
      .preload('organisations', (rows) => rows.orderBy('id'))
      .orderBy('id')
    return successEnvelope(pools.map(userPoolResource))
  }

  /** Create a user pool. */
  async store(ctx: HttpContext) {
    const fields = await createUserPoolValidator.validate(ctx.request.body())
    const pool = await createUserPool(fields)
    return ctx.response.created(successEnvelope(tagged(ctx, userPoolResource(pool))))
  }

  /** Update a user pool. The organisations that are sent replace all its organisations. */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const fields = await updateUserPoolValidator.validate(ctx.request.body())
    const pool = await updateUserPool(id, fields, ifMatch(ctx, userPoolResource))
    return successEnvelope(tagged(ctx, userPoolResource(pool)))
  }

  /**
   * Delete a user pool. With `dryRun=true`, nothing is deleted and the response lists what would
   * be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const options = { dryRun, requireFresh: ifMatch(ctx, userPoolResource) }
    const preview = await deleteUserPool(idParam(ctx, 'id'), options)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
