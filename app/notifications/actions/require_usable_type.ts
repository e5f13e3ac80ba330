import authConfig from '#config/auth'
import type { PanelAccess } from '#app/auth/panel/panel_access'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { SystemType } from '#app/notifications/exceptions'

/** They carry sign-in codes and links (notifications.md#system-types). @throws SystemType */
export function requireUsableType(caller: InternalCaller, { system }: { system: boolean }) {
  const mayUse = caller.kind === 'platform' && authConfig.internalKeyEditsSystemTypes
  if (system && !mayUse) throw new SystemType()
}

/**
 * People who manage only the application cannot change its system types in the panel.
 *
 * @throws SystemType
 */
export function requireEditableType(
  { isGlobalAdmin }: Pick<PanelAccess, 'isGlobalAdmin'>,
  { system }: { system: boolean }
) {
  if (!system || isGlobalAdmin) return
  throw new SystemType({
    detail: 'Only global panel admins and super admins can change system notification types',
  })
}
