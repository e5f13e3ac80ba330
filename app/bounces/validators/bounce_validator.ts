import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { email, id } from '#core/validation/fields'
import { BOUNCE_KINDS } from '#app/suppressions/values/bounce_kind'

const MAX_TEXT_LENGTH = 1_000

export const bounceListValidator = vine.create({
  ...pagingFields,
  email: email().optional(),
  kind: vine.enum(BOUNCE_KINDS).optional(),
})

export const bounceValidator = vine.create({
  email: email(),
  kind: vine.enum(BOUNCE_KINDS),
  notificationId: id().optional(),
  text: vine.string().maxLength(MAX_TEXT_LENGTH).optional(),
})
