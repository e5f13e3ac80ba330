import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { anyObject, code, flag, label, maxJsonBytes, prose } from '#core/validation/fields'
import { isDataPath } from '#app/notifications/rendering/data_path'

const MAX_VARIABLES = 200
// Lists of templates contain all variables.
const MAX_VARIABLES_BYTES = 16_384
const MAX_SUBJECT_LENGTH = 1_000
// Mail programs cut mails off at about 100 KiB, which also includes the layout and the values.
const MAX_BODY_LENGTH = 65_536

const pathRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value === 'string' && !isDataPath(value)) {
      field.report('{{ field }} must be a name or a dotted path', 'variable', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { description: 'A name or a dotted path' }) }
)

const variables = () =>
  vine
    .array(
      vine.object({
        key: vine.string().minLength(1).maxLength(128).use(pathRule()),
        required: flag(),
        sensitive: flag().optional(),
      })
    )
    .maxLength(MAX_VARIABLES)
    .distinct('key')
    .use(maxJsonBytes(MAX_VARIABLES_BYTES))

    .optional()

export const createTemplateValidator = vine.create({
  key: code(),
  name: label(),
  description: prose().nullable().optional(),
  variables: variables(),
})

export const updateTemplateValidator = vine.create({
  name: label().optional(),
  description: prose().nullable().optional(),
  variables: variables(),
})

export const saveVersionValidator = vine.create({
  subjectTemplate: vine.string().minLength(1).maxLength(MAX_SUBJECT_LENGTH),
  bodyTemplate: vine.string().minLength(1).maxLength(MAX_BODY_LENGTH),
})

export const previewValidator = vine.create({ data: anyObject().optional() })
