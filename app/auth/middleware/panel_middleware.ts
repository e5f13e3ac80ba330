import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { Forbidden } from '#app/auth/exceptions'
import type { PanelStanding } from '#app/auth/panel/panel_standing'
import { readStanding } from '#app/auth/panel/read_standing'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The caller's standing in the admin panel. Set by the `panel` guard. */
    standing: PanelStanding
  }
}

/**
 * What a management endpoint needs of its caller (decisions 2.5): `view` and `edit` are levels on the application in
 * the path, the others are the same for every application.
 */
export type PanelNeed =
  'view' | 'edit' | 'anyLevel' | 'readUsers' | 'globalAdmin' | 'superAdmin' | 'nothing'

/** The panel level as one policy on top of the evaluator; runs after the `token` guard. */
export default class PanelMiddleware {
  async handle(ctx: HttpContext, next: NextFn, need: PanelNeed) {
    ctx.standing = await readStanding(ctx.caller.email)
    if (!meets(ctx.standing, need, ctx.params.appCode)) throw new Forbidden()
    return next()
  }
}

function meets(standing: PanelStanding, need: PanelNeed, appCode: string): boolean {
  switch (need) {
    case 'view':
    case 'edit':
      return standing.holds(need, appCode)
    case 'anyLevel':
      return standing.hasAnyLevel
    case 'readUsers':
      return standing.mayReadUsers
    case 'globalAdmin':
      return standing.isGlobalAdmin
    case 'superAdmin':
      return standing.isSuperAdmin
    case 'nothing':
      return true
  }
}
