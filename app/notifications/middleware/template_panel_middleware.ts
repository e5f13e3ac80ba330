import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { idParam } from '#core/http/path_params'
import { decideByAccess } from '#app/auth/panel/decide_by_access'
import type { PanelLevel } from '#app/auth/panel/panel_access'
import { TemplateNotFound } from '#app/notifications/exceptions'
import { findTypeOfTemplate } from '#app/notifications/queries/named_type'

/** The `panel` guard for paths that name a template (authentication.md#access-requirements). */
export default class TemplatePanelMiddleware {
  async handle(ctx: HttpContext, next: NextFn, required: PanelLevel) {
    const id = idParam(ctx, 'id')
    await decideByAccess(ctx, async (access) => {
      const type = await findTypeOfTemplate(id)
      if (type === null || !access.holds('view', type.appCode)) {
        throw new TemplateNotFound({ detail: `Template ${id} does not exist` })
      }
      access.require(required, type.appCode)
    })
    return next()
  }
}
