import { readPanelAccess } from '#app/auth/panel/read_panel_access'
import { type Ties, readTies } from '#app/permissions/actions/read_ties'

/**
 * `enter`: use it as a member. `keep`: change or end what one began as a member. `know`: read about it.
 */
export type MemberNeed = 'enter' | 'keep' | 'know'

/** Lists the applications to which the person lacks this access. Ignores unknown codes. */
export async function applicationsHiddenFrom(
  email: string,
  appCodes: string[],
  need: MemberNeed
): Promise<string[]> {
  const untied: string[] = []
  for (const code of appCodes) {
    const ties = await readTies(email, code)
    if (ties && !isTied(ties, need)) untied.push(code)
  }
  if (untied.length === 0) return []
  const access = await readPanelAccess(email)
  const level = need === 'know' ? 'view' : 'edit'
  return untied.filter((code) => !access.holds(level, code))
}

function isTied({ isOpen, holds, came }: Ties, need: MemberNeed) {
  return isOpen || holds || (came && need !== 'enter')
}
