import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { Forbidden } from '#app/auth/exceptions'
import { decideByAccess } from '#app/auth/panel/decide_by_access'
import type { PanelAccess } from '#app/auth/panel/panel_access'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Set by the `panel` guard. */
    panelAccess: PanelAccess
  }
}

/**
 * `view` and `edit` refer to the application in the path (authentication.md#access-requirements).
 */
export type PanelRequirement =
  | 'view'
  | 'edit'
  | 'anyLevel'
  | 'readUsers'
  | 'listUsers'
  | 'globalAdmin'
  | 'superAdmin'
  | 'nothing'

/** Runs after the `token` guard. */
export default class PanelMiddleware {
  async handle(ctx: HttpContext, next: NextFn, need: PanelRequirement) {
    const appCode: unknown = ctx.params.appCode ?? ctx.request.qs().appCode
    await decideByAccess(ctx, (access) => {
      if (satisfies(access, need, appCode)) return
      throw new Forbidden({ details: { needs: needsOf(need, appCode) } })
    })
    return next()
  }
}

/** What a caller lacks (conventions.md#missing-rights). */
function needsOf(need: PanelRequirement, appCode: unknown) {
  switch (need) {
    case 'view':
    case 'edit':
      return { application: appCode, level: need }
    case 'anyLevel':
      return { anyApplication: true, level: 'view' }
    case 'readUsers':
    case 'listUsers':
      return { anyApplication: true, level: 'edit' }
    case 'globalAdmin':
      return { allApplications: true, level: 'edit' }
    default:
      return { superAdmin: true }
  }
}

function satisfies(access: PanelAccess, need: PanelRequirement, appCode: unknown): boolean {
  switch (need) {
    case 'view':
    case 'edit':
      return access.holds(need, String(appCode))
    case 'anyLevel':
      return access.hasAnyLevel
    case 'readUsers':
      return access.mayReadUsers
    case 'listUsers':
      return access.mayReadUsers || (typeof appCode === 'string' && access.holds('view', appCode))
    case 'globalAdmin':
      return access.isGlobalAdmin
    case 'superAdmin':
      return access.isSuperAdmin
    case 'nothing':
      return true
  }
}
