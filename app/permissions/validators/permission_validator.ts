import vine from '@vinejs/vine'
import { code, id } from '#core/validation/fields'
import { queryFlag } from '#core/validation/query_fields'
import { global, permissionTexts, permissionType } from '#app/permissions/values/fields'

const optionalFields = {
  ...permissionTexts,
  parentPermissionId: id().nullable().optional(),
  global: global(),
}

export const createPermissionValidator = vine.create({
  code: code(),
  type: permissionType(),
  ...optionalFields,
})

export const updatePermissionValidator = vine.create({
  code: code().optional(),
  type: permissionType().optional(),
  ...optionalFields,
})

/** Confirms changes of a permission that roles or overrides use. */
export const permissionChangeValidator = vine.create({
  rename: queryFlag(),
  force: queryFlag(),
})
