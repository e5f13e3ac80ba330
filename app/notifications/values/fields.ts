import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { code, flag, label, prose } from '#core/validation/fields'
import { maxJsonBytes } from '#core/validation/json_fields'
import { DIGEST_CHOICES, DIGEST_FREQUENCIES } from '#app/notifications/values/digest_frequency'
import { isDataPath } from '#app/notifications/rendering/data_path'
import { MAX_KEY_NAMES } from '#app/notifications/values/key_paths'

/** Fields of requests and of policies. */

const choice = () => flag().optional()

const allowedRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    const { allowed } = field.parent as { allowed?: unknown }
    if (value === 'off' || (Array.isArray(allowed) && allowed.includes(value))) return
    field.report('{{ field }} must be off, or one of those that are allowed', 'allowed', field)
  },
  { toJSONSchema: (schema) => Object.assign(schema, { description: 'One of `allowed`, or `off`' }) }
)

const digest = () =>
  vine
    .object({
      allowed: vine
        .array(vine.enum(DIGEST_FREQUENCIES))
        .minLength(1)
        .maxLength(DIGEST_FREQUENCIES.length)
        .distinct(),
      default: vine.enum(DIGEST_CHOICES).use(allowedRule()).optional(),
      templateKey: code().nullable().optional(),
    })
    .nullable()
    .optional()

/** See notifications.md#type-fields. */
export const typeFields = {
  description: prose().nullable().optional(),
  emailEnabled: choice(),
  pushEnabled: choice(),
  userCanDisable: choice(),
  defaultEmail: choice(),
  defaultPush: choice(),
  selfServiceEnabled: choice(),
  urgent: choice(),
  digest: digest(),
  emailFromName: label(128).nullable().optional(),
}

const MAX_VARIABLES = 200
// Lists of templates contain all variables.
const MAX_VARIABLES_BYTES = 16_384
const MAX_SUBJECT_LENGTH = 1_000
// Mail programs cut mails off at about 100 KiB, which also includes the layout and the values.
const MAX_BODY_LENGTH = 65_536

const PATH = `a name or a dotted path of at most ${MAX_KEY_NAMES} names`

const pathRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value !== 'string') return
    if (!isDataPath(value) || value.split('.').length > MAX_KEY_NAMES) {
      field.report(`{{ field }} must be ${PATH}`, 'variable', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { description: PATH.replace(/^a/, 'A') }) }
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

/** See notifications.md#template-fields. */
export const templateFields = {
  description: prose().nullable().optional(),
  variables: variables(),
}

export const subjectText = () => vine.string().minLength(1).maxLength(MAX_SUBJECT_LENGTH)
export const bodyText = () => vine.string().minLength(1).maxLength(MAX_BODY_LENGTH)

export const versionFields = { subjectTemplate: subjectText(), bodyTemplate: bodyText() }
