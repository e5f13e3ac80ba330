import vine from '@vinejs/vine'
import { flag, notNull } from '#core/validation/fields'

export const setUpProviderValidator = vine.create({ rotate: flag().use(notNull()).optional() })
