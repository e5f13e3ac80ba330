import vine from '@vinejs/vine'
import { code, id, label, prose } from '#core/validation/fields'
import { ACCESS_LEVELS } from '#app/permissions/values/access_level'
import { condition } from '#app/permissions/validators/condition_field'

export const createRoleValidator = vine.create({
  code: code(),
  name: label().nullable().optional(),
  description: prose().nullable().optional(),
})

export const updateRoleValidator = vine.create({
  code: code().optional(),
  name: label().nullable().optional(),
  description: prose().nullable().optional(),
})

export const rolePermissionsValidator = vine.create({
  permissions: vine
    .array(
      vine.object({
        permissionId: id(),
        accessLevel: vine.enum(ACCESS_LEVELS),
        condition: condition().nullable().optional(),
      })
    )
    .maxLength(5_000)
    .distinct('permissionId'),
})

export const matrixChangesValidator = vine.create({
  changes: vine
    .array(
      vine.object({
        roleId: id(),
        permissionId: id(),
        accessLevel: vine.enum(ACCESS_LEVELS).nullable(),
        condition: condition().nullable().optional(),
      })
    )
    .maxLength(1_000)
    .distinct(['roleId', 'permissionId']),
})
