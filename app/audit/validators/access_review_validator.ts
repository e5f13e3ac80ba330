import vine from '@vinejs/vine'
import { MAX_PAGE_SIZE } from '#core/http/paging'
import { email } from '#core/validation/fields'
import { queryFlag, queryText } from '#core/validation/query_fields'
import { MAX_CODE_LENGTH } from '#core/values/identifiers'
import { RIGHT_SOURCES } from '#app/audit/queries/access_rights'
import { WINDOW_STATES } from '#app/permissions/values/time_window'

/** How far ahead a review can look for what ends. */
const MAX_DAYS_AHEAD = 366
const MAX_DAYS_BACK = 3_650

/** Pages are for JSON. A cursor contains an encrypted address, so it can be long. */
export const accessReviewValidator = vine.create({
  limit: vine.number().withoutDecimals().range([1, MAX_PAGE_SIZE]).optional(),
  cursor: vine.string().maxLength(1_024).optional(),
  email: email().optional(),
  source: vine.enum(RIGHT_SOURCES).optional(),
  role: queryText(MAX_CODE_LENGTH).optional(),
  permission: queryText(MAX_CODE_LENGTH).optional(),
  state: vine.enum(WINDOW_STATES).optional(),
  endsWithinDays: vine.number().withoutDecimals().range([1, MAX_DAYS_AHEAD]).optional(),
  active: queryFlag(),
  noLoginForDays: vine.number().withoutDecimals().range([1, MAX_DAYS_BACK]).optional(),
})
