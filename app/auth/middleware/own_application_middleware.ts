import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireApplicationAccess } from '#app/auth/values/internal_caller'

/** Runs after `internalKey` and `json`. The validator reports values that are not strings. */
export default class OwnApplicationMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    const { appCode } = ctx.request.body() as { appCode?: unknown }
    if (typeof appCode === 'string') requireApplicationAccess(ctx.internalCaller, appCode)
    return next()
  }
}
