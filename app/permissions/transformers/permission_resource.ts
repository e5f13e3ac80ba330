import { isoTimestamp } from '#core/database/columns'
import type Permission from '#app/permissions/models/permission'

export function permissionResource(permission: Permission) {
  return {
    id: permission.id,
    code: permission.code,
    description: permission.description,
    type: permission.type,
    groupName: permission.groupName,
    parentPermissionId: permission.parentPermissionId,
    global: permission.global,
    createdAt: isoTimestamp(permission.createdAt),
  }
}
