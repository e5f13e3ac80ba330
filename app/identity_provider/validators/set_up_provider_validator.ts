import vine from '@vinejs/vine'
import { flag } from '#core/validation/fields'
import { queryFlag } from '#core/validation/query_fields'

export const previewSetupValidator = vine.create({ rotate: queryFlag() })

export const setUpProviderValidator = vine.create({ rotate: flag().optional() })
