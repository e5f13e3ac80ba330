import { readMemberStatus } from '#app/permissions/actions/read_member_status'

/**
 * Whether a user, active or not, belongs to the audience `application`. Others are explained as new
 * users to callers who are limited to single applications
 * (delivery.md#explanations-about-others).
 */
export async function belongsToApplication(email: string, appCode: string): Promise<boolean> {
  const status = await readMemberStatus(email, appCode)
  return status !== null && (status.hasGrant || (status.isOpen && status.hasPreference))
}
