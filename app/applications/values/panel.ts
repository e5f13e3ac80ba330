import { PanelProtected } from '#app/applications/exceptions'

/** The admin panel is itself an application; these are the names its rights go by. */
export const PANEL_APPLICATION = 'auth'
export const MANAGE_APPLICATIONS = 'applications.manage'
export const APPLICATION_MANAGER_ROLE = 'application_manager'
export const APPLICATION_ENTITY = 'application'
/** Gives `applications.manage` at `edit` on all applications. */
export const PANEL_ADMIN_ROLE = 'panel_admin'

/** What every decision about the panel rests on. */
const PANEL_PARTS = {
  entity: [APPLICATION_ENTITY],
  permission: [MANAGE_APPLICATIONS],
  role: [APPLICATION_MANAGER_ROLE, PANEL_ADMIN_ROLE],
}

/**
 * Asks for it before something is deleted or changed in more than its texts. It holds for everybody:
 * deleting a part takes the rights of all administrators along.
 *
 * @throws PanelProtected for a part of the panel's own permission model
 */
export function requireNoPanelPart(kind: keyof typeof PANEL_PARTS, appCode: string, code: string) {
  if (appCode === PANEL_APPLICATION && PANEL_PARTS[kind].includes(code)) throw new PanelProtected()
}
