import vine from '@vinejs/vine'
import { flag } from '#core/validation/fields'

export const setUpProviderValidator = vine.create({ rotate: flag().optional() })
