import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireEditableType } from '#app/notifications/actions/require_usable_type'
import { typeInPath } from '#app/notifications/queries/named_type'

/**
 * For panel paths that change the named type, or a template or version of it; runs after the guard
 * that reads the caller's standing.
 */
export default class EditableTypeMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const type = await typeInPath(ctx)
    if (type) requireEditableType(ctx.standing, type)
    return next()
  }
}
