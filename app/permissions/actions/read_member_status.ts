import { databaseMoment } from '#core/database/active_rows'
import { memberStatus } from '#app/permissions/queries/member_status'

export interface MemberStatus {
  isOpen: boolean
  /** Whether they have a role, a granting override, or administer the application. */
  hasGrant: boolean
  /** Whether they have used the application. Remains true after their access ends. */
  hasPreference: boolean
}

/** Ignores panel levels and whether the user is active. Null for an unknown application. */
export async function readMemberStatus(email: string, app: string): Promise<MemberStatus | null> {
  const [row] = await memberStatus.all([email, app, databaseMoment()])
  if (!row) return null
  return {
    isOpen: row.membership === 'open',
    hasGrant: Boolean(row.has_grant),
    hasPreference: Boolean(row.has_preference),
  }
}
