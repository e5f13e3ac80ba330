import vine from '@vinejs/vine'
import { listFields } from '#core/http/lists'
import { email, flag, id } from '#core/validation/fields'
import { queryText } from '#core/validation/query_fields'
import { MAX_ID } from '#core/values/identifiers'
import { ASSIGNMENT_KINDS } from '#app/permissions/queries/assignments'
import { condition } from '#app/permissions/values/condition_field'
import { accessLevel, window } from '#app/permissions/values/fields'

export const MAX_ITEMS = 5_000
/** How far ahead a list can look for what ends. */
const MAX_DAYS = 366

export const overridesValidator = vine.create({
  permissions: vine
    .array(
      vine.object({
        permissionId: id(),
        granted: flag(),
        accessLevel: accessLevel().nullable().optional(),
        condition: condition().nullable().optional(),
        ...window,
      })
    )
    .maxLength(MAX_ITEMS)
    .distinct('permissionId'),
})

export const administratorValidator = vine.create({ email: email(), ...window })

export const listAssignmentsValidator = vine.create({
  ...listFields,
  email: email().optional(),
  kind: vine.enum(ASSIGNMENT_KINDS).optional(),
  roleId: vine.number().withoutDecimals().range([1, MAX_ID]).optional(),
  permissionId: vine.number().withoutDecimals().range([1, MAX_ID]).optional(),
  resourceType: queryText(128).optional(),
  resourceId: queryText(255).optional(),
  endsWithinDays: vine.number().withoutDecimals().range([1, MAX_DAYS]).optional(),
})
