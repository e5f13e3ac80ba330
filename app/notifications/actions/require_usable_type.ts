import authConfig from '#config/auth'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { SystemType } from '#app/notifications/exceptions'

/** They carry sign-in codes and links (notifications.md#system-types). @throws SystemType */
export function requireUsableType(caller: InternalCaller, { system }: { system: boolean }) {
  const mayUse = caller.kind === 'platform' && authConfig.internalKeyEditsSystemTypes
  if (system && !mayUse) throw new SystemType()
}
