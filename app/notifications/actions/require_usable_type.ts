import authConfig from '#config/auth'
import type { PanelStanding } from '#app/auth/panel/panel_standing'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { SystemType } from '#app/notifications/exceptions'

/**
 * System types carry sign-in codes and links, such as that of a password reset. Application keys
 * cannot change or send them, and the platform's keys only if the operator allows it.
 *
 * @throws SystemType
 */
export function requireUsableType(caller: InternalCaller, { system }: { system: boolean }) {
  const mayUse = caller.kind === 'platform' && authConfig.internalKeyEditsSystemTypes
  if (system && !mayUse) throw new SystemType()
}

/**
 * The same in the panel: whoever manages only the application that has a system type cannot change
 * the type, its templates or their versions.
 *
 * @throws SystemType
 */
export function requireEditableType(
  { isGlobalAdmin }: Pick<PanelStanding, 'isGlobalAdmin'>,
  { system }: { system: boolean }
) {
  if (!system || isGlobalAdmin) return
  throw new SystemType({
    detail: 'Only global panel admins and super admins can change system notification types',
  })
}
