import vine from '@vinejs/vine'
import { flag, matching, timeZone } from '#core/validation/fields'

export const MAX_WINDOWS = 20

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

const time = () => vine.string().maxLength(5).use(matching(TIME, 'a time such as 22:00'))

/** See notifications.md#quiet-hours. */
export const quietHoursValidator = vine.create({
  enabled: flag(),
  timeZone: timeZone(),
  windows: vine
    .array(
      vine.object({
        days: vine
          .array(vine.number({ strict: true }).withoutDecimals().range([1, 7]))
          .minLength(1)
          .maxLength(7)
          .distinct(),
        from: time(),
        to: time(),
      })
    )
    .maxLength(MAX_WINDOWS),
})
