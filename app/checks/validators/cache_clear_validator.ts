import vine from '@vinejs/vine'
import { queryFlag } from '#core/validation/fields'

export const cacheClearValidator = vine.create({
  everywhere: queryFlag(),
})
