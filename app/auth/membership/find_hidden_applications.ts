import { readPanelAccess } from '#app/auth/panel/read_panel_access'
import { type MemberStatus, readMemberStatus } from '#app/permissions/actions/read_member_status'

/**
 * `enter`: use it as a member. `keep`: change or end what was begun as a member. `know`: read about
 * it.
 */
export type MemberRequirement = 'enter' | 'keep' | 'know'

/** Lists the applications to which the user lacks this access. Ignores unknown codes. */
export async function findHiddenApplications(
  email: string,
  appCodes: string[],
  need: MemberRequirement
): Promise<string[]> {
  const untied: string[] = []
  for (const code of appCodes) {
    const ties = await readMemberStatus(email, code)
    if (ties && !isTied(ties, need)) untied.push(code)
  }
  if (untied.length === 0) return []
  const access = await readPanelAccess(email)
  const level = need === 'know' ? 'view' : 'edit'
  return untied.filter((code) => !access.holds(level, code))
}

function isTied({ isOpen, hasGrant, hasPreference }: MemberStatus, need: MemberRequirement) {
  return isOpen || hasGrant || (hasPreference && need !== 'enter')
}
