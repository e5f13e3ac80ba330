import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { code, email, timestamp } from '#core/validation/fields'
import { NOTIFICATION_STATUSES } from '#app/notifications/values/notification_status'

const period = { from: timestamp().optional(), to: timestamp().optional() }

export const logPageValidator = vine.create({ ...pagingFields })

export const searchLogValidator = vine.create({
  ...pagingFields,
  ...period,
  status: vine.enum(NOTIFICATION_STATUSES).optional(),
  type: code().optional(),
  recipientEmail: email().optional(),
})

export const statisticsValidator = vine.create({ ...period })
