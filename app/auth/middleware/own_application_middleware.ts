import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireApplication } from '#app/auth/values/internal_caller'

/**
 * For internal bodies that name their application as `appCode`; runs after `internalKey` and
 * `json`. Values that are not strings are left to the validator.
 */
export default class OwnApplicationMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    const { appCode } = ctx.request.body() as { appCode?: unknown }
    if (typeof appCode === 'string') requireApplication(ctx.internalCaller, appCode)
    return next()
  }
}
