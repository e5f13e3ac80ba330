import type { PanelAccess } from '#app/auth/panel/panel_access'
import { SystemType } from '#app/notifications/exceptions'

/**
 * Users who manage only the application cannot change or test its system types in the panel
 * (notifications.md#changing-system-types).
 *
 * @throws SystemType
 */
export function requireEditableType(
  { isGlobalAdmin }: Pick<PanelAccess, 'isGlobalAdmin'>,
  { system }: { system: boolean }
) {
  if (!system || isGlobalAdmin) return
  throw new SystemType({
    detail:
      'Only global panel admins and super admins can change or test system notification types',
  })
}
