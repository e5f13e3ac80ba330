import vine from '@vinejs/vine'
import { flag } from '#core/validation/fields'

export const userStatusValidator = vine.create({ active: flag() })
