import vine from '@vinejs/vine'
import { code, flag, label, prose } from '#core/validation/fields'

const optionalFields = {
  description: prose().nullable().optional(),
  emailEnabled: flag().optional(),
  pushEnabled: flag().optional(),
  userCanDisable: flag().optional(),
  defaultEmail: flag().optional(),
  defaultPush: flag().optional(),
  selfServiceEnabled: flag().optional(),
  emailFromName: vine
    .string()
    .trim()
    .minLength(1)
    .maxLength(128)
    .regex(/^\P{Cc}+$/u)
    .nullable()
    .optional(),
}

export const createTypeValidator = vine.create({ code: code(), name: label(), ...optionalFields })

export const updateTypeValidator = vine.create({ name: label().optional(), ...optionalFields })

export const applicationQueryValidator = vine.create({ appCode: vine.string().maxLength(1_024) })
