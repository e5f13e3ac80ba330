import PanelSession from '#app/auth/models/panel_session'
import { isAccountActive } from '#app/profiles/actions/is_account_active'
import type { Caller } from '#app/auth/values/caller'
import type { PanelLevel } from '#app/auth/panel/panel_access'
import { readPanelAccess } from '#app/auth/panel/read_panel_access'

/** Repeats the checks of the guards during a long-lived response. */
export async function isStillAuthorized(caller: Caller, level: PanelLevel, appCode: string) {
  if (!(await isStillSignedIn(caller))) return false
  return (await readPanelAccess(caller.email)).holds(level, appCode)
}

/** Whether the token and its session, if any, still belong to an active user. */
export async function isStillSignedIn(
  caller: Pick<Caller, 'email' | 'subject' | 'expiresAt' | 'sessionId'>
): Promise<boolean> {
  if (Date.now() >= caller.expiresAt || !(await isAccountActive(caller))) return false
  return hasSession(caller)
}

/** When a session ends, so does what it started. */
async function hasSession({ sessionId }: Pick<Caller, 'sessionId'>): Promise<boolean> {
  if (sessionId === undefined) return true
  return (await PanelSession.current().where({ id: sessionId }).first()) !== null
}
