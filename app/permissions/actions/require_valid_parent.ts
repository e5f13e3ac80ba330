import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { InvalidParent } from '#app/permissions/exceptions'
import type Permission from '#app/permissions/models/permission'

/** @throws InvalidParent if the parent is in another application, or would make a cycle */
export async function requireValidParent(permission: Permission, trx: TransactionClientContract) {
  if (!permission.parentPermissionId) return
  const others: { id: number; parent_permission_id: number | null }[] = await trx
    .from('permissions')
    .where('application_id', permission.applicationId)
    .select('id', 'parent_permission_id')
  const parentOf = new Map(others.map((other) => [other.id, other.parent_permission_id]))
  const seen = new Set([permission.id])
  let parentId: number | null | undefined = permission.parentPermissionId
  while (parentId) {
    if (seen.has(parentId) || !parentOf.has(parentId)) {
      throw new InvalidParent({ details: { parentPermissionId: parentId } })
    }
    seen.add(parentId)
    parentId = parentOf.get(parentId)
  }
}
