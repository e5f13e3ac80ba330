import type { PanelAccess } from '#app/auth/panel/panel_access'
import { listShownApplications } from '#app/operations/actions/list_shown_applications'
import { type ActivityDay, countActivity } from '#app/operations/queries/count_activity'

interface ActivityRequest {
  appCode?: string
  days?: number
}

const DEFAULT_DAYS = 30

/**
 * See platform.md#activity. Call it in a turn for searches.
 * @throws Forbidden, ApplicationNotFound
 */
export async function readActivity(
  access: PanelAccess,
  { appCode, days = DEFAULT_DAYS }: ActivityRequest
): Promise<ActivityDay[]> {
  const applications = await listShownApplications(access, appCode)
  const ids = applications.map(({ id }) => id)
  return countActivity(ids, days)
}
