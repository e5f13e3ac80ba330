import vine from '@vinejs/vine'
import { code, flag, label, prose } from '#core/validation/fields'
import { listFields } from '#core/http/lists'

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

export const applicationQueryValidator = vine.create({
  ...listFields,
  appCode: vine.string().maxLength(1_024),
})
