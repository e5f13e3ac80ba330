import vine from '@vinejs/vine'
import { listFields } from '#core/http/lists'
import { email, flag, id, timestamp, toDateTime } from '#core/validation/fields'
import { queryText } from '#core/validation/query_fields'
import { MAX_ID } from '#core/values/identifiers'
import { ASSIGNMENT_KINDS } from '#app/permissions/queries/assignments'
import { condition } from '#app/permissions/validators/condition_field'
import { ACCESS_LEVELS } from '#app/permissions/values/access_level'

export const MAX_ITEMS = 5_000
/** How far ahead a list can look for what ends. */
const MAX_DAYS = 366

const moment = () => timestamp().transform(toDateTime).nullable().optional()
/** See permissions.md#time-windows. */
export const window = { validFrom: moment(), validUntil: moment() }

export const overridesValidator = vine.create({
  permissions: vine
    .array(
      vine.object({
        permissionId: id(),
        granted: flag(),
        accessLevel: vine.enum(ACCESS_LEVELS).nullable().optional(),
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
