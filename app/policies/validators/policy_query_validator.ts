import vine from '@vinejs/vine'
import { queryFlag, queryText } from '#core/validation/query_fields'

import { MAX_FLIPS } from '#app/checks/actions/preview_flips'

export const exportQueryValidator = vine.create({ assignments: queryFlag() })

const scope = { assignments: queryFlag(), prune: queryFlag() }

export const applyQueryValidator = vine.create(scope)

export const planQueryValidator = vine.create({
  ...scope,
  limit: vine.number().withoutDecimals().range([1, MAX_FLIPS]).optional(),
  cursor: queryText(4_096).optional(),
})
