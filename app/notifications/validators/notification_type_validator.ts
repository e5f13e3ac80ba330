import vine from '@vinejs/vine'
import { listFields } from '#core/http/lists'
import { pagingFields } from '#core/http/paging'
import { queryText } from '#core/validation/query_fields'
import { code, flag, label, prose, slug } from '#core/validation/fields'

const choice = () => flag().optional()

const optionalFields = {
  description: prose().nullable().optional(),
  emailEnabled: choice(),
  pushEnabled: choice(),
  userCanDisable: choice(),
  defaultEmail: choice(),
  defaultPush: choice(),
  selfServiceEnabled: choice(),
  emailFromName: label(128).nullable().optional(),
}

export const createTypeValidator = vine.create({ code: code(), name: label(), ...optionalFields })

export const updateTypeValidator = vine.create({
  name: label().optional(),
  ...optionalFields,
})

export const coverageValidator = vine.create({ ...pagingFields, appCode: slug().optional() })

export const applicationQueryValidator = vine.create({
  ...listFields,
  appCode: queryText(1_024),
})
