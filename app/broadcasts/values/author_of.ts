import type { HttpContext } from '@adonisjs/core/http'
import type { BroadcastAuthor } from '#app/broadcasts/values/broadcast_request'

/** Whom the caller may write to. */
export const authorOf = ({ caller, panelAccess }: HttpContext): BroadcastAuthor => ({
  email: caller.email,
  mayReachEveryone: panelAccess.isGlobalAdmin,
  mayReachOutsiders: panelAccess.isSuperAdmin,
})
