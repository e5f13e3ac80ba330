import { isoTimestamp } from '#core/values/iso_timestamp'
import type { ListedPermission, ShownPermission } from '#app/permissions/queries/permission_list'

export function permissionResource(permission: ShownPermission) {
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

export function listedPermissionResource(listed: ListedPermission) {
  const { roleCount, overrideCount } = listed
  return { ...permissionResource(listed), roleCount, overrideCount }
}
