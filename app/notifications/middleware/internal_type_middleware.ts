import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { KeyNotForApplication } from '#app/auth/exceptions'
import { restrictedAppCode, requireApplicationAccess } from '#app/auth/values/internal_caller'
import { requireUsableType } from '#app/notifications/actions/require_usable_type'
import { typeInPath } from '#app/notifications/queries/named_type'

/** Does not reveal to application keys whether another application's template exists. */
export default class InternalTypeMiddleware {
  async handle(ctx: HttpContext, next: NextFn, operation: 'read' | 'write') {
    const type = await typeInPath(ctx)
    if (type === null) {
      if (ctx.params.id !== undefined && restrictedAppCode(ctx.internalCaller) !== null) {
        throw new KeyNotForApplication()
      }
      return next()
    }
    requireApplicationAccess(ctx.internalCaller, type.appCode)
    if (operation === 'write') requireUsableType(ctx.internalCaller, type)
    return next()
  }
}
