import { defineProblem } from '#core/exceptions/problem'

export const PermissionNotFound = defineProblem('PERMISSION_NOT_FOUND', 404, 'No such permission')
export const PermissionExists = defineProblem(
  'PERMISSION_EXISTS',
  409,
  'The application has a permission with this code'
)
export const TooManyPermissions = defineProblem(
  'TOO_MANY_PERMISSIONS',
  409,
  'The application has reached its maximum number of permissions',
  'Delete permissions that are no longer in use. For rights on single resources, use overrides.'
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
export const TooManyRoles = defineProblem(
  'TOO_MANY_ROLES',
  409,
  'The application has reached its maximum number of roles',
  'Delete roles that are no longer in use.'
)
export const TooManyOverrides = defineProblem(
  'TOO_MANY_OVERRIDES',
  409,
  'The person has reached the maximum number of overrides in this application',
  'Remove overrides that are no longer needed, or give the person a role instead.'
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
export const TooManyAdministrators = defineProblem(
  'TOO_MANY_ADMINISTRATORS',
  409,
  'The maximum number of administrators is reached',
  'Remove administrators who are no longer active.'
)
export const LastSuperAdmin = defineProblem(
  'LAST_SUPER_ADMIN',
  409,
  'The last active super admin cannot be removed',
  'Make somebody else a super admin first.'
)
