import type { HttpContext } from '@adonisjs/core/http'
import { noteGuardedAccess } from '#core/changes/caller_access'
import { PANEL_APPLICATION } from '#app/applications/values/panel'
import { confirmBinding } from '#app/auth/authenticate'
import { Forbidden } from '#app/auth/exceptions'
import type { PanelAccess } from '#app/auth/panel/panel_access'
import { readPanelAccess } from '#app/auth/panel/read_panel_access'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Reads what the caller may do in the panel, has the guard decide by it, and passes it on to the
 * handler. If guards of a change are repeated, its handler may have decided by the former access
 * already, so the caller must not have less now.
 *
 * @throws Forbidden, IdentityConflict, and as `guard` does
 */
export async function decideByAccess(
  ctx: HttpContext,
  guard: (access: PanelAccess) => void | Promise<void>
) {
  const isChange = !SAFE_METHODS.has(ctx.request.method())
  if (isChange) {
    await noteGuardedAccess(ctx, PANEL_APPLICATION)
    await confirmBinding(ctx.caller)
  }
  const former: PanelAccess | undefined = ctx.panelAccess
  const access = await readPanelAccess(ctx.caller.email)
  await guard(access)
  if (isChange && former && !access.includes(former)) {
    throw new Forbidden({ detail: 'You lost access while the request was in progress' })
  }
  ctx.panelAccess = access
}
