import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { code, email, slug, timestamp } from '#core/validation/fields'
import { MAX_ID } from '#core/values/identifiers'
import { NOTIFICATION_STATUSES } from '#app/notifications/values/notification_status'

const period = { from: timestamp().optional(), to: timestamp().optional() }

export const logPageValidator = vine.create({ ...pagingFields })

const search = {
  ...pagingFields,
  ...period,
  status: vine.enum(NOTIFICATION_STATUSES).optional(),
  type: code().optional(),
  recipientEmail: email().optional(),
  broadcastId: vine.number().withoutDecimals().range([1, MAX_ID]).optional(),
}

export const searchLogValidator = vine.create(search)

export const searchWholeLogValidator = vine.create({ ...search, appCode: slug().optional() })

export const statisticsValidator = vine.create({
  ...period,
  type: code().optional(),
  per: vine.enum(['day', 'hour']).optional(),
})
