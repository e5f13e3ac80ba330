import vine from '@vinejs/vine'
import { MAX_PAGE_SIZE } from '#core/http/paging'

/** Of a page. The other forms are complete. A cursor has an address, encrypted. */
export const accessReviewValidator = vine.create({
  limit: vine.number().withoutDecimals().range([1, MAX_PAGE_SIZE]).optional(),
  cursor: vine.string().maxLength(1_024).optional(),
})
