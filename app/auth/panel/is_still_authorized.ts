import PanelSession from '#app/auth/models/panel_session'
import { isAccountActive } from '#app/profiles/actions/is_account_active'
import type { Caller } from '#app/auth/values/caller'
import type { PanelLevel } from '#app/auth/panel/panel_access'
import { readPanelAccess } from '#app/auth/panel/read_panel_access'

/** Repeats the checks of the guards during a long-lived response. */
export async function isStillAuthorized(caller: Caller, level: PanelLevel, appCode: string) {
  if (Date.now() >= caller.expiresAt || !(await isAccountActive(caller))) return false
  if (!(await hasSession(caller))) return false
  return (await readPanelAccess(caller.email)).holds(level, appCode)
}

/** A session that has been ended ends what it started. */
async function hasSession({ sessionId }: Caller): Promise<boolean> {
  if (sessionId === undefined) return true
  return (await PanelSession.current().where({ id: sessionId }).first()) !== null
}
