import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { DateTime } from 'luxon'
import { label, timestamp, toDateTime } from '#core/validation/fields'

const inFutureRule = vine.createRule((value: unknown, _: undefined, field: FieldContext) => {
  if (!field.isValid || typeof value !== 'string' || toDateTime(value) > DateTime.utc()) return
  field.report('{{ field }} must be in the future', 'inFuture', field)
})

export const createKeyValidator = vine.create({
  name: label(),
  expiresAt: timestamp().use(inFutureRule()).transform(toDateTime).optional(),
})
