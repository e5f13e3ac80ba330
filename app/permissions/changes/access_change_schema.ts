import vine from '@vinejs/vine'
import { code, email, flag, id } from '#core/validation/fields'
import { MAX_CHANGES } from '#app/permissions/changes/access_change'
import {
  MAX_ITEMS,
  administratorValidator,
  overridesValidator,
} from '#app/permissions/validators/assignment_validator'
import { window } from '#app/permissions/values/fields'
import { updatePermissionValidator } from '#app/permissions/validators/permission_validator'
import {
  createRoleValidator,
  rolePermissionsValidator,
} from '#app/permissions/validators/role_validator'

/** Fields that an endpoint has in its path or query, and a change in the body. */
export const roleIdValidator = vine.create({ roleId: id() })
export const roleCodeValidator = vine.create({ role: code() })
export const permissionIdValidator = vine.create({ permissionId: id() })
export const confirmationsValidator = vine.create({
  rename: flag().optional(),
  force: flag().optional(),
})
export const userValidator = vine.create({ email: email() })
export const resourceValidator = vine.create({
  resourceType: vine.string().minLength(1).maxLength(128),
  resourceId: vine.string().minLength(1).maxLength(255),
})

/** The roles of a user by code, for those that the same list creates. */
export const roleCodesValidator = vine.create({
  roles: vine
    .array(vine.object({ role: code(), ...window }))
    .maxLength(MAX_ITEMS)
    .distinct('role'),
})

const idsValidator = vine.create({ roleIds: vine.array(id()).maxLength(MAX_ITEMS) })
const grantsValidator = vine.create({
  roles: vine.array(vine.object({ roleId: id(), ...window })).maxLength(MAX_ITEMS),
})

interface Described {
  toJSONSchema(): object
}
interface ObjectSchema {
  properties?: Record<string, unknown>
  required?: string[]
}

function operation(op: string, ...validators: Described[]) {
  const parts = validators.map((validator) => validator.toJSONSchema() as ObjectSchema)
  return {
    type: 'object',
    properties: Object.assign({ op: { enum: [op] } }, ...parts.map((part) => part.properties)),
    required: ['op', ...parts.flatMap(({ required = [] }) => required)],
    additionalProperties: true,
  }
}

const changeSchemas = [
  operation('replaceRolePermissions', roleIdValidator, rolePermissionsValidator),
  operation('replaceRolePermissions', roleCodeValidator, rolePermissionsValidator),
  operation('createRole', createRoleValidator),
  operation('deleteRole', roleIdValidator),
  operation('deleteRole', roleCodeValidator),
  operation('replaceUserRoles', userValidator, idsValidator),
  operation('replaceUserRoles', userValidator, grantsValidator),
  operation('replaceUserRoles', userValidator, roleCodesValidator),
  operation('replaceOverrides', userValidator, resourceValidator, overridesValidator),
  operation('addAdministrator', administratorValidator),
  operation('removeAdministrator', userValidator),
  operation('deletePermission', permissionIdValidator),
  operation(
    'updatePermission',
    permissionIdValidator,
    updatePermissionValidator,
    confirmationsValidator
  ),
]

/** For the API description. */
export const accessChangesSchema = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_CHANGES,
  items: { anyOf: changeSchemas },
}
