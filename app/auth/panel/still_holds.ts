import type { Caller } from '#app/auth/values/caller'
import type { PanelLevel } from '#app/auth/panel/panel_standing'
import { readStanding } from '#app/auth/panel/read_standing'

/** Whether the caller of an answer that goes on for long still is who the guards let in: token and panel level. */
export async function stillHolds({ email, expiresAt }: Caller, level: PanelLevel, appCode: string) {
  if (Date.now() >= expiresAt) return false
  return (await readStanding(email)).holds(level, appCode)
}
