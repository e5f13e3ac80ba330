import { defineProblem } from '#core/exceptions/problem'

export const PermissionNotFound = defineProblem('PERMISSION_NOT_FOUND', 404, 'Permission not found')
export const PermissionExists = defineProblem(
  'PERMISSION_EXISTS',
  409,
  'The application already has a permission with this code'
)
export const TooManyPermissions = defineProblem(
  'TOO_MANY_PERMISSIONS',
  409,
  'The application has reached its maximum number of permissions',
  'Delete permissions that are no longer used. For access to single resources, use overrides.'
)
export const PermissionInUse = defineProblem(
  'PERMISSION_IN_USE',
  409,
  'Roles or overrides use this permission, so the change is refused',
  'A type cannot change while the permission is in use: remove it from the roles and overrides that `details` counts, or create another permission. To change the code anyway, add `rename=true` to the query; to make a permission with overrides global, add `force=true`.'
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
export const InvalidWindow = defineProblem(
  'INVALID_WINDOW',
  400,
  'A time window must end after it begins',
  'Set `validUntil` to a later moment than `validFrom`, or to null for a window that does not end.'
)
export const InvalidParent = defineProblem(
  'INVALID_PARENT',
  400,
  'The parent must be a permission of this application and must not create a cycle'
)
export const RoleNotFound = defineProblem('ROLE_NOT_FOUND', 404, 'Role not found')
export const RoleExists = defineProblem(
  'ROLE_EXISTS',
  409,
  'The application already has a role with this code'
)
export const TooManyRoles = defineProblem(
  'TOO_MANY_ROLES',
  409,
  'The application has reached its maximum number of roles',
  'Delete roles that are no longer used.'
)
export const TooManyRolePermissions = defineProblem(
  'TOO_MANY_ROLE_PERMISSIONS',
  409,
  'The roles of the application together have reached their maximum number of permissions',
  'Remove permissions from roles that no longer need them, or delete roles that are no longer used.'
)
export const ConditionsTooLarge = defineProblem(
  'CONDITIONS_TOO_LARGE',
  409,
  'The conditions together exceed the maximum size',
  'Shorten conditions, or remove them where they are no longer needed.'
)
export const TooManyOverrides = defineProblem(
  'TOO_MANY_OVERRIDES',
  409,
  'The user has reached the maximum number of overrides in the application',
  'Remove overrides that are no longer needed, or give the user a role instead.'
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
  'Administrator not found'
)
export const TooManyAdministrators = defineProblem(
  'TOO_MANY_ADMINISTRATORS',
  409,
  'The maximum number of administrators has been reached',
  'Remove administrators who no longer need access.'
)
export const LastSuperAdmin = defineProblem(
  'LAST_SUPER_ADMIN',
  409,
  'The last active super admin cannot be removed, deactivated or erased',
  'Add another super admin first.'
)
export const OwnSuperAdmin = defineProblem(
  'OWN_SUPER_ADMIN',
  409,
  'Super admins cannot remove, deactivate or erase themselves',
  'Ask another super admin to do it.'
)
export const ConditionInvalid = defineProblem(
  'CONDITION_INVALID',
  400,
  'The condition is not valid',
  'Correct the expression at `details.line` and `details.column`. `details.reason` says what is wrong.'
)
