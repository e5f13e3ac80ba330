import vine from '@vinejs/vine'
import { invalidField } from '#core/exceptions/problems'
import { id } from '#core/validation/fields'
import type { RoleGrant } from '#app/permissions/actions/replace_user_roles'
import { MAX_ITEMS } from '#app/permissions/validators/assignment_validator'
import { window } from '#app/permissions/values/fields'

const idsValidator = vine.create({ roleIds: vine.array(id()).maxLength(MAX_ITEMS) })
const grantsValidator = vine.create({
  roles: vine
    .array(vine.object({ roleId: id(), ...window }))
    .maxLength(MAX_ITEMS)
    .distinct('roleId'),
})

/** For the API description. */
export const userRolesSchema = {
  anyOf: [idsValidator.toJSONSchema(), grantsValidator.toJSONSchema()],
}

interface WantedRoles {
  grants: RoleGrant[]
  /** Where the request has the id of a role. */
  fieldAt: (index: number) => string
}

/**
 * @param body `{roleIds}`, for assignments without a time window, or `{roles}`
 * @throws ValidationError
 * @describedBy user_roles_validator#userRolesSchema
 */
export async function readUserRoles(body: Record<string, unknown>): Promise<WantedRoles> {
  if ((body.roles ?? null) === null) {
    const { roleIds } = await idsValidator.validate(body)
    return { grants: roleIds.map((roleId) => ({ roleId })), fieldAt: (index) => `roleIds.${index}` }
  }
  if ((body.roleIds ?? null) !== null) {
    throw invalidField('roles', 'insteadOf', 'Give either roleIds or roles, not both')
  }
  const { roles } = await grantsValidator.validate(body)
  return { grants: roles, fieldAt: (index) => `roles.${index}.roleId` }
}
