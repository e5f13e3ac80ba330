import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { queryText } from '#core/validation/query_fields'
import { USER_SORTS } from '#app/profiles/values/users_page'

export const listUsersValidator = vine.create({
  ...pagingFields,
  cursor: vine.string().maxLength(512).optional(),
  sort: vine.enum(USER_SORTS).optional(),
  search: queryText(254).optional(),
  appCode: queryText(128).optional().requiredIfExists('role'),
  role: queryText(128).optional(),
  active: vine.enum(['true', 'false', '1', '0'] as const).optional(),
})

export const pageValidator = vine.create({ ...pagingFields })
