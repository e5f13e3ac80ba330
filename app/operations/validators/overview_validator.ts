import vine from '@vinejs/vine'
import { queryText } from '#core/validation/query_fields'
import operationsConfig from '#config/operations'

const appCode = queryText(128).optional()

export const activityValidator = vine.create({
  appCode,
  days: vine.number().withoutDecimals().range([1, operationsConfig.activityDays]).optional(),
})

export const attentionValidator = vine.create({ appCode })
