import vine from '@vinejs/vine'
import { MAX_PAGE_SIZE } from '#core/http/paging'

/** For pages of JSON. A cursor contains an encrypted address, so it can be long. */
export const accessReviewValidator = vine.create({
  limit: vine.number().withoutDecimals().range([1, MAX_PAGE_SIZE]).optional(),
  cursor: vine.string().maxLength(1_024).optional(),
})
