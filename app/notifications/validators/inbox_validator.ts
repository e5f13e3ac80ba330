import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { slug } from '#core/validation/fields'

export const listInboxValidator = vine.create({
  ...pagingFields,
  unreadOnly: vine.enum(['true', 'false', '1', '0'] as const).optional(),
  appCode: slug().optional(),
})

export const readAllValidator = vine.create({
  appCode: slug().optional(),
})
