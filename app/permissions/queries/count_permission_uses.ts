import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export interface PermissionUses {
  /** Roles that grant the permission. */
  roles: number
  overrides: number
}

export async function countPermissionUses(
  permissionId: number,
  client: QueryClientContract
): Promise<PermissionUses> {
  const count = async (table: string) => {
    const [{ total }] = await client
      .from(table)
      .where('permission_id', permissionId)
      .count('* as total')
    return Number(total)
  }
  return { roles: await count('role_permissions'), overrides: await count('resource_overrides') }
}
