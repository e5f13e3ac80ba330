import vine from '@vinejs/vine'
import { queryFlag } from '#core/validation/query_fields'

export const exportQueryValidator = vine.create({ assignments: queryFlag() })
