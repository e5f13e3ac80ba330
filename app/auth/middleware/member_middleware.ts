import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { textParam } from '#core/http/path_params'
import { NotAMember } from '#app/auth/exceptions'
import {
  type MemberRequirement,
  findHiddenApplications,
} from '#app/auth/membership/find_hidden_applications'

/** Runs after the `token` guard. */
export default class MemberMiddleware {
  async handle(ctx: HttpContext, next: NextFn, need: MemberRequirement) {
    const hidden = await findHiddenApplications(ctx.caller.email, [textParam(ctx, 'appCode')], need)
    if (hidden.length > 0) throw new NotAMember()
    return next()
  }
}
