import { defineProblem } from '#core/exceptions/problem'

export const PermissionNotFound = defineProblem('PERMISSION_NOT_FOUND', 404, 'No such permission')
export const PermissionExists = defineProblem(
  'PERMISSION_EXISTS',
  409,
  'The application already has a permission with this code'
)
export const PermissionInUse = defineProblem(
  'PERMISSION_IN_USE',
  409,
  'Roles or overrides use this permission, so its type cannot change',
  'Remove the permission from all roles and overrides first, or create another permission.'
)
export const PermissionIsGlobal = defineProblem(
  'PERMISSION_IS_GLOBAL',
  400,
  'A global permission cannot have overrides'
)
export const InvalidAccessLevel = defineProblem(
  'INVALID_ACCESS_LEVEL',
  400,
  'The access level does not match the type of the permission',
  'Use `allowed` for binary permissions, and `view` or `edit` for tiered permissions.'
)
export const InvalidParent = defineProblem(
  'INVALID_PARENT',
  400,
  'The parent must be a permission of this application and must not create a cycle'
)
export const RoleNotFound = defineProblem('ROLE_NOT_FOUND', 404, 'No such role')
export const RoleExists = defineProblem(
  'ROLE_EXISTS',
  409,
  'The application already has a role with this code'
)
export const UnknownResourceType = defineProblem(
  'UNKNOWN_RESOURCE_TYPE',
  400,
  'The resource type is not in the entity catalog of the application',
  'Use a resource type from `details.available`, or add the entity to the catalog first.'
)
export const AdministratorNotFound = defineProblem(
  'ADMINISTRATOR_NOT_FOUND',
  404,
  'No such administrator'
)
export const LastSuperAdmin = defineProblem(
  'LAST_SUPER_ADMIN',
  409,
  'The last active super admin cannot be removed',
  'Add another super admin first.'
)
