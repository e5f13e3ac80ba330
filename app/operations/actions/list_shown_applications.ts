import Application from '#app/applications/models/application'
import type { PanelAccess } from '#app/auth/panel/panel_access'

/**
 * The application with this code, or all that the caller can see.
 * @throws Forbidden, ApplicationNotFound
 */
export async function listShownApplications(
  access: PanelAccess,
  appCode?: string
): Promise<Application[]> {
  if (appCode !== undefined) {
    access.require('view', appCode)
    return [await Application.withCode(appCode)]
  }
  const applications = await Application.query().select('id', 'code')
  return applications.filter(({ code }) => access.holds('view', code))
}
