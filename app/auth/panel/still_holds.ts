import { isStillAdmitted } from '#app/profiles/actions/admit_account'
import type { Caller } from '#app/auth/values/caller'
import type { PanelLevel } from '#app/auth/panel/panel_standing'
import { readStanding } from '#app/auth/panel/read_standing'

/**
 * Whether the caller of a long-lived answer still passes its guards: the token, the binding of the
 * record, the panel level.
 */
export async function stillHolds(caller: Caller, level: PanelLevel, appCode: string) {
  if (Date.now() >= caller.expiresAt || !(await isStillAdmitted(caller))) return false
  return (await readStanding(caller.email)).holds(level, appCode)
}
