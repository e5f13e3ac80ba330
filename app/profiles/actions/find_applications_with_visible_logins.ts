import Application from '#app/applications/models/application'
import { type PanelViewer, canSeeLogins } from '#app/profiles/values/panel_viewer'

/** The ids of the applications that the panel shows; undefined for all, including deleted ones. */
export async function findApplicationsWithVisibleLogins(
  viewer: PanelViewer
): Promise<number[] | undefined> {
  if (viewer.isGlobalAdmin) return undefined
  const applications = await Application.query().select('id', 'code')
  return applications.filter(({ code }) => canSeeLogins(viewer, code)).map(({ id }) => id)
}
