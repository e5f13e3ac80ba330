import { byBytes } from '#core/values/byte_order'
import {
  type EffectivePermission,
  listEffectivePermissions,
  listOwnPermissions,
} from '#app/checks/actions/list_effective_permissions'
import type { EffectiveCheck } from '#app/checks/validators/check_request'

/** Finds the permissions that a user holds, by code in byte order (checks.md#search). */
export async function searchPermissions(check: EffectiveCheck): Promise<EffectivePermission[]> {
  return found(await listEffectivePermissions(check))
}

/** For the user themselves; nothing in an application that is hidden from them. */
export async function searchOwnPermissions(check: EffectiveCheck): Promise<EffectivePermission[]> {
  return found(await listOwnPermissions(check))
}

function found(permissions: EffectivePermission[]): EffectivePermission[] {
  return permissions
    .filter(({ allowed, pending }) => allowed || pending !== null)
    .sort(({ permission: a }, { permission: b }) => byBytes(a.code, b.code))
}
