import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { email, flag, id } from '#core/validation/fields'
import { queryText } from '#core/validation/query_fields'
import { MAX_ID } from '#core/values/identifiers'
import { ASSIGNMENT_KINDS } from '#app/permissions/queries/assignments'
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

export const listAssignmentsValidator = vine.create({
  ...pagingFields,
  email: email().optional(),
  kind: vine.enum(ASSIGNMENT_KINDS).optional(),
  roleId: vine.number().withoutDecimals().range([1, MAX_ID]).optional(),
  resourceType: queryText(128).optional(),
  resourceId: queryText(255).optional(),
})
