import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { slug, timestamp, toDateTime } from '#core/validation/fields'
import { queryFlag } from '#core/validation/query_fields'

export const listInboxValidator = vine.create({
  ...pagingFields,
  unreadOnly: queryFlag(),
  archived: queryFlag(),
  snoozed: queryFlag(),
  appCode: slug().optional(),
})

export const inboxStreamValidator = vine.create({
  ticket: vine.string().maxLength(512).optional(),
  lastEventId: vine.string().maxLength(8_192).optional(),
})

export const readAllValidator = vine.create({
  appCode: slug().optional(),
})

export const snoozeValidator = vine.create({
  until: timestamp().transform(toDateTime).nullable(),
})
