import vine from '@vinejs/vine'
import { listFields } from '#core/http/lists'
import { pagingFields } from '#core/http/paging'
import { queryText } from '#core/validation/query_fields'
import { code, label, slug } from '#core/validation/fields'
import { typeFields } from '#app/notifications/values/fields'

export const createTypeValidator = vine.create({ code: code(), name: label(), ...typeFields })

export const updateTypeValidator = vine.create({
  name: label().optional(),
  ...typeFields,
})

export const coverageValidator = vine.create({ ...pagingFields, appCode: slug().optional() })

export const applicationQueryValidator = vine.create({
  ...listFields,
  appCode: queryText(1_024),
})
