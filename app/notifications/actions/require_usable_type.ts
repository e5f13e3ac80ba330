import authConfig from '#config/auth'
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
