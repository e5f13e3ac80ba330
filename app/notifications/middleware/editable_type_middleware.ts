import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireEditableType } from '#app/notifications/actions/require_editable_type'
import { typeInPath } from '#app/notifications/queries/named_type'

/**
 * For panel paths that change a type, its templates or their versions, or send a test of one. Runs
 * after the guard that reads the caller's panel access.
 */
export default class EditableTypeMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const type = await typeInPath(ctx)
    if (type) requireEditableType(ctx.panelAccess, type)
    return next()
  }
}
