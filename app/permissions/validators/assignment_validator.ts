import vine from '@vinejs/vine'
import { email, flag, id } from '#core/validation/fields'
import { ACCESS_LEVELS } from '#app/permissions/values/access_level'

export const userRolesValidator = vine.create({
  roleIds: vine.array(id()).maxLength(5_000),
})

export const overridesValidator = vine.create({
  permissions: vine
    .array(
      vine.object({
        permissionId: id(),
        granted: flag(),
        accessLevel: vine.enum(ACCESS_LEVELS).nullable().optional(),
      })
    )
    .maxLength(5_000)
    .distinct('permissionId'),
})

export const administratorValidator = vine.create({ email: email() })
