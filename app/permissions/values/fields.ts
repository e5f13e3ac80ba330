import vine from '@vinejs/vine'
import { flag, label, prose, timestamp, toDateTime } from '#core/validation/fields'
import { ACCESS_LEVELS } from '#app/permissions/values/access_level'

/** Fields of requests and of policies. */

export const permissionType = () => vine.enum(['binary', 'tiered'] as const)

export const accessLevel = () => vine.enum(ACCESS_LEVELS)

export const roleTexts = {
  name: label().nullable().optional(),
  description: prose().nullable().optional(),
}

export const permissionTexts = { ...roleTexts, groupName: label().nullable().optional() }

export const global = () => flag().optional()

const moment = () => timestamp().transform(toDateTime).nullable().optional()

/** See permissions.md#time-windows. */
export const window = { validFrom: moment(), validUntil: moment() }

/** The limits of checks: an override on a longer id could never apply. */
export const MAX_RESOURCE_TYPE_LENGTH = 128
export const MAX_RESOURCE_ID_LENGTH = 255
