import vine from '@vinejs/vine'
import { code, id } from '#core/validation/fields'
import { condition } from '#app/permissions/values/condition_field'
import { accessLevel, roleTexts } from '#app/permissions/values/fields'

export const createRoleValidator = vine.create({
  code: code(),
  ...roleTexts,
})

export const updateRoleValidator = vine.create({
  code: code().optional(),
  ...roleTexts,
})

export const rolePermissionsValidator = vine.create({
  permissions: vine
    .array(
      vine.object({
        permissionId: id(),
        accessLevel: accessLevel(),
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
        accessLevel: accessLevel().nullable(),
        condition: condition().nullable().optional(),
      })
    )
    .maxLength(1_000)
    .distinct(['roleId', 'permissionId']),
})
