import { readPanelAccess } from '#app/auth/panel/read_panel_access'
import { type Ties, readTies } from '#app/permissions/actions/read_ties'

/**
 * What a person does with an application: `enter` uses it, `keep` changes or ends what they began
 * as a member, `know` reads what it is.
 */
export type MemberNeed = 'enter' | 'keep' | 'know'

/**
 * Which of these applications a person may not enter, keep or know: those with membership `granted`
 * in which they hold nothing. Applications that do not exist are left out.
 */
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
