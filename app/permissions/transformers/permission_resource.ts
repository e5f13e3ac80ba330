import type { PlainRow } from '#core/database/plain_rows'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type Permission from '#app/permissions/models/permission'
import type { ListedPermission } from '#app/permissions/queries/permission_list'

export function permissionResource(permission: PlainRow<Permission>) {
  return {
    id: permission.id,
    code: permission.code,
    name: permission.name,
    description: permission.description,
    type: permission.type,
    groupName: permission.groupName,
    parentPermissionId: permission.parentPermissionId,
    global: permission.global,
    createdAt: isoTimestamp(permission.createdAt),
  }
}

export function listedPermissionResource({
  permission,
  roleCount,
  overrideCount,
}: ListedPermission) {
  return { ...permissionResource(permission), roleCount, overrideCount }
}
