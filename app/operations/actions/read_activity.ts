import { inSearchBudget } from '#core/database/work_budgets'
import type { PanelAccess } from '#app/auth/panel/panel_access'
import { listShownApplications } from '#app/operations/actions/list_shown_applications'
import { type ActivityDay, countActivity } from '#app/operations/queries/count_activity'

interface ActivityRequest {
  appCode?: string
  days?: number
}

const DEFAULT_DAYS = 30

/**
 * See platform.md#activity. @param caller The key of the caller in limits
 * @throws Forbidden, ApplicationNotFound, Overloaded
 */
export async function readActivity(
  caller: string,
  access: PanelAccess,
  { appCode, days = DEFAULT_DAYS }: ActivityRequest
): Promise<ActivityDay[]> {
  const applications = await listShownApplications(access, appCode)
  const ids = applications.map(({ id }) => id)
  return inSearchBudget(caller, () => countActivity(ids, days))
}
