import type { HttpContext } from '@adonisjs/core/http'
import { idParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { clearSessionCookie } from '#app/auth/session/session_cookie'
import { listAdministrableApplications } from '#app/checks/actions/list_administrable_applications'
import { ensureCaller } from '#app/profiles/actions/ensure_caller'
import { endSessions } from '#app/panel/actions/end_sessions'
import { listSessions } from '#app/panel/queries/list_sessions'
import { panelUserResource, sessionResource } from '#app/panel/transformers/session_resource'
import { SessionNotFound } from '#app/panel/exceptions'

/** Sessions of the caller in the admin panel. See panel.md#own-sessions. */
export default class SessionsController {
  /** Get the caller's session, with who they are and what they can administer. */
  async current({ caller, panelAccess, panelSession }: HttpContext) {
    const user = await ensureCaller(caller)
    const applications = await listAdministrableApplications(panelAccess)
    return successEnvelope(panelUserResource(user, panelAccess, applications, panelSession))
  }

  /** List the caller's sessions in the admin panel. The newest comes first. */
  async index({ caller, panelSession }: HttpContext) {
    const sessions = await listSessions(caller.subject)
    return successEnvelope(sessions.map((one) => sessionResource(one, panelSession)))
  }

  /** End a session of the caller in the admin panel. */
  async destroy(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const ended = await endSessions(ctx.caller, id)
    if (ended.length === 0) throw new SessionNotFound()
    return this.#confirm(ctx, ended)
  }

  /** End all sessions of the caller in the admin panel. The current one ends as well. */
  async destroyAll(ctx: HttpContext) {
    return this.#confirm(ctx, await endSessions(ctx.caller))
  }

  #confirm({ response, panelSession }: HttpContext, ended: number[]) {
    if (panelSession && ended.includes(panelSession.id)) clearSessionCookie(response)
    return successEnvelope({ ended: ended.length })
  }
}
