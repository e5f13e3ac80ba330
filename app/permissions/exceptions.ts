import { defineProblem } from '#core/exceptions/problem'

export const PermissionNotFound = defineProblem('PERMISSION_NOT_FOUND', 404, 'No such permission')
export const PermissionExists = defineProblem(
  'PERMISSION_EXISTS',
  409,
  'The application has a permission with this code'
)
export const PermissionInUse = defineProblem(
  'PERMISSION_IN_USE',
  409,
  'Roles or overrides use this permission, so its type stays',
  'Remove the permission from roles and overrides first, or create another one.'
)
export const PermissionIsGlobal = defineProblem(
  'PERMISSION_IS_GLOBAL',
  400,
  'A global permission takes no overrides'
)
export const InvalidAccessLevel = defineProblem(
  'INVALID_ACCESS_LEVEL',
  400,
  'The access level does not fit the type of the permission',
  'Use `allowed` for binary permissions, `view` or `edit` for tiered ones.'
)
export const InvalidParent = defineProblem(
  'INVALID_PARENT',
  400,
  'The parent is no permission of this application or makes a cycle'
)
export const RoleNotFound = defineProblem('ROLE_NOT_FOUND', 404, 'No such role')
export const RoleExists = defineProblem(
  'ROLE_EXISTS',
  409,
  'The application has a role with this code'
)
export const UnknownResourceType = defineProblem(
  'UNKNOWN_RESOURCE_TYPE',
  400,
  'The entity catalog of the application does not list this resource type',
  'Use one of `details.available`, or add the entity to the catalog first.'
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
  'Make somebody else a super admin first.'
)
