import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { KeyNotForApplication } from '#app/auth/exceptions'
import { confinedTo, requireApplication } from '#app/auth/values/internal_caller'
import { requireUsableType } from '#app/notifications/actions/require_usable_type'
import { typeInPath } from '#app/notifications/queries/named_type'

/**
 * For internal paths that name a template or a type; runs after the `internalKey` guard. A template
 * of another application answers an application key like one that does not exist. `write` refuses
 * system types; reading is allowed, because their texts contain no secret.
 */
export default class InternalTypeMiddleware {
  async handle(ctx: HttpContext, next: NextFn, need: 'read' | 'write') {
    const type = await typeInPath(ctx)
    if (type === null) {
      if (ctx.params.id !== undefined && confinedTo(ctx.internalCaller) !== null) {
        throw new KeyNotForApplication()
      }
      return next()
    }
    requireApplication(ctx.internalCaller, type.appCode)
    if (need === 'write') requireUsableType(ctx.internalCaller, type)
    return next()
  }
}
