import authConfig from '#config/auth'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { SystemType } from '#app/notifications/exceptions'

/**
 * Types that are marked `system` carry what lets a person in, such as the code of a password reset.
 * No key of an application changes or sends one, and the platform's only where the operator says
 * so.
 *
 * @throws SystemType
 */
export function requireUsableType(caller: InternalCaller, { system }: { system: boolean }) {
  const mayUse = caller.kind === 'platform' && authConfig.internalKeyEditsSystemTypes
  if (system && !mayUse) throw new SystemType()
}
