import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export async function isPermissionInUse(permissionId: number, client: QueryClientContract) {
  for (const table of ['role_permissions', 'resource_overrides']) {
    if (await client.from(table).where('permission_id', permissionId).first()) return true
  }
  return false
}
