import vine from '@vinejs/vine'
import { code, flag, id, label, notNull, prose } from '#core/validation/fields'

const type = () => vine.enum(['binary', 'tiered'] as const)
const optionalFields = {
  description: prose().nullable().optional(),
  groupName: label().nullable().optional(),
  parentPermissionId: id().nullable().optional(),
  global: flag().use(notNull()).optional(),
}

export const createPermissionValidator = vine.create({
  code: code(),
  type: type(),
  ...optionalFields,
})

export const updatePermissionValidator = vine.create({
  code: code().use(notNull()).optional(),
  type: type().use(notNull()).optional(),
  ...optionalFields,
})
