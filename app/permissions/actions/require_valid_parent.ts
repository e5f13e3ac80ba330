import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { InvalidParent } from '#app/permissions/exceptions'
import Permission from '#app/permissions/models/permission'

/** @throws InvalidParent if the parent is in another application, or would make a cycle */
export async function requireValidParent(permission: Permission, trx: TransactionClientContract) {
  const seen = new Set([permission.id])
  let parentId = permission.parentPermissionId
  while (parentId) {
    if (seen.has(parentId)) throw new InvalidParent({ details: { parentPermissionId: parentId } })
    seen.add(parentId)
    const parent = await Permission.query({ client: trx })
      .where('applicationId', permission.applicationId)
      .where('id', parentId)
      .first()
    if (!parent) throw new InvalidParent({ details: { parentPermissionId: parentId } })
    parentId = parent.parentPermissionId
  }
}
