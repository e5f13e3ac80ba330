import type { PanelAccess } from '#app/auth/panel/panel_access'
import { listShownApplications } from '#app/operations/actions/list_shown_applications'
import { readPlatformAttention } from '#app/operations/actions/read_platform_attention'
import { findAttention } from '#app/operations/queries/find_attention'
import { type Attention, MAX_ATTENTION } from '#app/operations/values/attention'

/**
 * See platform.md#attention. Call it in a turn for searches.
 * @throws Forbidden, ApplicationNotFound
 */
export async function listAttention(access: PanelAccess, appCode?: string): Promise<Attention[]> {
  const applications = await listShownApplications(access, appCode)
  const visible = applications.map(({ id, code }) => ({ id, canEdit: access.holds('edit', code) }))
  const [ofPlatform, ofApplications] = await Promise.all([
    appCode === undefined && access.isGlobalAdmin ? readPlatformAttention(access.isSuperAdmin) : [],
    findAttention(visible),
  ])
  return [...ofPlatform, ...ofApplications].slice(0, MAX_ATTENTION)
}
