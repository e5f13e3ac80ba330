import vine from '@vinejs/vine'
import { MAX_PAGE_SIZE } from '#core/http/paging'
import { commaSeparated } from '#core/values/comma_separated'
import { DOMAINS } from '#app/change_feed/values/feed_event'

/** The framework splits a list with plain commas, but not one with encoded commas. */
const splitList = (value: unknown) => (typeof value === 'string' ? commaSeparated(value) : value)

export const changeFeedValidator = vine.create({
  after: vine.number().withoutDecimals().range([0, Number.MAX_SAFE_INTEGER]).optional(),
  limit: vine.number().withoutDecimals().range([1, MAX_PAGE_SIZE]).optional(),
  domains: vine
    .array(vine.enum(DOMAINS))
    .minLength(1)
    .maxLength(DOMAINS.length)
    .parse(splitList)
    .optional(),
})
