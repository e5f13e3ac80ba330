import vine from '@vinejs/vine'
import { code, email, timestamp } from '#core/validation/fields'
import { anyObject } from '#core/validation/json_fields'

export const MAX_IMPORT_ROWS = 10_000

export const IMPORT_COLUMNS = ['email', 'role', 'validFrom', 'validUntil'] as const

export type ImportColumn = (typeof IMPORT_COLUMNS)[number]

/** The rows are checked one by one, so that the errors can list every invalid one. */
export const importBodyValidator = vine.create({
  rows: vine.array(anyObject()).maxLength(MAX_IMPORT_ROWS),
})

const window = {
  validFrom: timestamp().nullable().optional(),
  validUntil: timestamp().nullable().optional(),
}

/** For the API description. */
export const importBody = vine.create({
  rows: vine
    .array(vine.object({ email: email(), role: code(), ...window }))
    .maxLength(MAX_IMPORT_ROWS),
})
