import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { queryText } from '#core/validation/fields'

export const listUsersValidator = vine.create({
  ...pagingFields,
  search: queryText(254).optional(),
  appCode: queryText(128).optional(),
  active: vine.enum(['true', 'false', '1', '0'] as const).optional(),
})

export const pageValidator = vine.create({ ...pagingFields })
