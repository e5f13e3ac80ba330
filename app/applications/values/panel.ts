import { PanelProtected } from '#app/applications/exceptions'

export const PANEL_APPLICATION = 'auth'
export const MANAGE_APPLICATIONS = 'applications.manage'
export const APPLICATION_MANAGER_ROLE = 'application_manager'
export const APPLICATION_ENTITY = 'application'
export const PANEL_ADMIN_ROLE = 'panel_admin'

const BUILT_IN = {
  entity: [APPLICATION_ENTITY],
  permission: [MANAGE_APPLICATIONS],
  role: [APPLICATION_MANAGER_ROLE, PANEL_ADMIN_ROLE],
}

/**
 * Protects the panel's own permission model, even from super admins: without it, administrators
 * would lose their access.
 *
 * @throws PanelProtected
 */
export function requireNotBuiltIn(kind: keyof typeof BUILT_IN, appCode: string, code: string) {
  if (appCode === PANEL_APPLICATION && BUILT_IN[kind].includes(code)) throw new PanelProtected()
}
