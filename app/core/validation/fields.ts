import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { DateTime, IANAZone } from 'luxon'
import { normalizeEmail } from '#core/values/email'
import {
  CODE,
  MAX_CODE_LENGTH,
  MAX_ID,
  RESERVED_NAMES,
  SLUG,
  isReservedName,
} from '#core/values/identifiers'

/** Bodies are JSON, so values are not coerced. */

const emailRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (!field.isValid || typeof value !== 'string') return
    const email = normalizeEmail(value)
    if (email === null) field.report('{{ field }} must be an e-mail address', 'email', field)
    else field.mutate(email, field)
  },
  { toJSONSchema: (schema) => Object.assign(schema, { format: 'email' }) }
)

const notReservedRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value === 'string' && isReservedName(value)) {
      const message =
        '{{ field }} must not be a name that every JavaScript object has, such as constructor'
      field.report(message, 'reserved', field, { reserved: RESERVED_NAMES })
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { not: { enum: RESERVED_NAMES } }) }
)

/** The URL parser alone repairs invalid URLs: it drops line breaks and adds slashes. */
const ABSOLUTE_HTTP_URL = /^https?:\/\/[^\s/\\][^\s\p{Cc}]*$/iu

const httpUrlRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (!field.isValid || typeof value !== 'string') return
    const url = ABSOLUTE_HTTP_URL.test(value) && URL.canParse(value) ? new URL(value) : null
    if (!url || url.username || url.password) {
      field.report(
        '{{ field }} must be an absolute http or https URL without credentials',
        'httpUrl',
        field
      )
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { format: 'uri', pattern: '^https?://' }) }
)

const ONE_LINE = '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*[^\\p{Cc}\\p{Z}][^\\p{Cc}\\p{Zl}\\p{Zp}]*$'

/** For text that may become a header or a protocol line. */
export const oneLine = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value === 'string' && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)) {
      field.report('{{ field }} must be a single line', 'oneLine', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { pattern: ONE_LINE }) }
)

interface Pattern {
  expression: RegExp
  /** What the text must be, for the message. */
  words: string
}

const patternRule = vine.createRule(
  (value: unknown, { expression, words }: Pattern, field: FieldContext) => {
    if (typeof value !== 'string' || expression.test(value)) return
    const meta = { pattern: expression.source }
    field.report(`{{ field }} must be ${words}`, 'regex', field, meta)
  },
  {
    toJSONSchema: (schema, { expression }) => Object.assign(schema, { pattern: expression.source }),
  }
)

/** A regular expression, and in words what it demands. */
export const matching = (expression: RegExp, words: string) => patternRule({ expression, words })

const idRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > MAX_ID) {
      const meta = { min: 1, max: MAX_ID }
      field.report('{{ field }} must be a positive integer', 'id', field, meta)
    }
  },
  {
    toJSONSchema: (schema) =>
      Object.assign(schema, { type: 'integer', minimum: 1, maximum: MAX_ID }),
  }
)

const timestampRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value !== 'string' || !isTimestamp(value)) {
      field.report('{{ field }} must be an ISO 8601 timestamp', 'timestamp', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { format: 'date-time' }) }
)

/** A valid date and time in the years that both databases support. */
export function isTimestamp(text: string) {
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))
  const { isValid, year } = DateTime.fromISO(text, { zone: 'utc' })
  return isIso && isValid && year >= 1 && year <= 9999
}

export const email = () => vine.string().maxLength(1_000).use(emailRule())

const identifier = (pattern: RegExp, characters: string) =>
  vine
    .string()
    .minLength(1)
    .maxLength(MAX_CODE_LENGTH)
    .use(matching(pattern, `made of ${characters}, and start and end with a letter or digit`))
    .use(notReservedRule())

export const code = () => identifier(CODE, 'letters, digits and the characters . _ : / -')

export const slug = () => identifier(SLUG, 'lower-case letters, digits and the characters . _ -')

/** A short text without line breaks, safe for mail headers. */
export const label = (maxLength = 255) =>
  vine.string().trim().minLength(1).maxLength(maxLength).use(oneLine())

export const prose = () => vine.string().maxLength(4_000)

export const httpUrl = () => vine.string().maxLength(2_048).use(httpUrlRule())

export const id = () => vine.number({ strict: true }).use(idRule())

/** For generated modules. */
export const integer = () =>
  vine
    .number({ strict: true })
    .withoutDecimals()
    .range([-MAX_ID - 1, MAX_ID])

export const flag = () => vine.boolean({ strict: true })

export const timestamp = () => vine.string().maxLength(64).use(timestampRule())

const timeZoneRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    // The runtime accepts offsets such as +01:00 as zones.
    if (typeof value === 'string' && !(/^[a-z]/i.test(value) && IANAZone.isValidZone(value))) {
      field.report('{{ field }} must be an IANA time zone', 'timezone', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { description: 'An IANA time zone' }) }
)

export const timeZone = () => vine.string().maxLength(64).use(timeZoneRule())

/** The type of columns, for `timestamp().transform()`. Vine also passes null. */
export const toDateTime = (text: string) =>
  text === null ? text : DateTime.fromISO(text, { zone: 'utc' })
