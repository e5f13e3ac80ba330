import Application from '#app/applications/models/application'
import type { PanelAccess } from '#app/auth/panel/panel_access'

/**
 * The ids of the applications whose entries the caller can see; undefined for all. An application
 * that was deleted, and a later one with the same code, have different ids.
 *
 * @throws Forbidden for an application that the caller cannot see
 */
export async function readVisibleApplications(
  access: PanelAccess,
  appCode?: string
): Promise<number[] | undefined> {
  if (access.isGlobalAdmin) return undefined
  if (appCode !== undefined) access.require('view', appCode)
  const applications = await Application.query().select('id', 'code')
  return applications.filter(({ code }) => access.holds('view', code)).map(({ id }) => id)
}
