import { PanelProtected } from '#app/applications/exceptions'
import {
  APPLICATION_MANAGER_ROLE,
  MANAGE_APPLICATIONS,
  PANEL_ADMIN_ROLE,
  PANEL_APPLICATION,
} from '#app/applications/values/panel'
import type { AccessLevel } from '#app/permissions/values/access_level'

/** The level of `applications.manage` that each built-in role must grant. */
const BUILT_IN_ROLES = new Map<string, AccessLevel | undefined>([
  [PANEL_ADMIN_ROLE, 'edit'],
  [APPLICATION_MANAGER_ROLE, undefined],
])

interface RoleGrant {
  appCode: string
  role: string
  permission: string
  /** Undefined if the role does not grant the permission. */
  accessLevel: AccessLevel | undefined
}

/** See permissions.md#protected-panel-parts. @throws PanelProtected */
export function requireBuiltInLevel({ appCode, role, permission, accessLevel }: RoleGrant) {
  if (appCode !== PANEL_APPLICATION || permission !== MANAGE_APPLICATIONS) return
  if (!BUILT_IN_ROLES.has(role)) return
  if (accessLevel !== BUILT_IN_ROLES.get(role)) throw new PanelProtected()
}
