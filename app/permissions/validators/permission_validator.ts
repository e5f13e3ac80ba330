import vine from '@vinejs/vine'
import { code, flag, id, label, prose } from '#core/validation/fields'
import { queryFlag } from '#core/validation/query_fields'

const type = () => vine.enum(['binary', 'tiered'] as const)
const optionalFields = {
  name: label().nullable().optional(),
  description: prose().nullable().optional(),
  groupName: label().nullable().optional(),
  parentPermissionId: id().nullable().optional(),
  global: flag().optional(),
}

export const createPermissionValidator = vine.create({
  code: code(),
  type: type(),
  ...optionalFields,
})

export const updatePermissionValidator = vine.create({
  code: code().optional(),
  type: type().optional(),
  ...optionalFields,
})

/** Confirms changes of a permission that roles or overrides use. */
export const permissionChangeValidator = vine.create({
  rename: queryFlag(),
  force: queryFlag(),
})
