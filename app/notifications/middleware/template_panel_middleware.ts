import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { idParam } from '#core/http/path_params'
import { Forbidden } from '#app/auth/exceptions'
import type { PanelLevel } from '#app/auth/panel/panel_standing'
import { readStanding } from '#app/auth/panel/read_standing'
import { TemplateNotFound } from '#app/notifications/exceptions'
import { typeOfTemplate } from '#app/notifications/queries/named_type'

/**
 * The `panel` guard for paths that name a template and no application: the level on the template's own application
 * decides. Where the caller sees nothing of it, the template does not exist for them (decisions 1.3).
 */
export default class TemplatePanelMiddleware {
  async handle(ctx: HttpContext, next: NextFn, need: PanelLevel) {
    const id = idParam(ctx, 'id')
    const [standing, type] = await Promise.all([readStanding(ctx.caller.email), typeOfTemplate(id)])
    if (type === null || !standing.holds('view', type.appCode)) throw new TemplateNotFound()
    if (!standing.holds(need, type.appCode)) throw new Forbidden()
    ctx.standing = standing
    return next()
  }
}
