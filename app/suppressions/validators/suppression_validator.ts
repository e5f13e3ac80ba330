import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { email, label } from '#core/validation/fields'
import { SUPPRESSION_REASONS } from '#app/suppressions/values/suppression_reason'

const MAX_NOTE_LENGTH = 500

export const suppressionListValidator = vine.create({
  ...pagingFields,
  email: email().optional(),
  reason: vine.enum(SUPPRESSION_REASONS).optional(),
})

export const suppressionValidator = vine.create({
  email: email(),
  reason: vine.enum(SUPPRESSION_REASONS).optional(),
  note: label(MAX_NOTE_LENGTH).nullable().optional(),
})
