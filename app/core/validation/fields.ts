import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { DateTime } from 'luxon'
import { isCleanText } from '#core/values/clean_text'
import { normalizeEmail } from '#core/values/email'
import {
  CODE,
  MAX_CODE_LENGTH,
  MAX_ID,
  RESERVED_NAMES,
  SLUG,
  isReservedName,
} from '#core/values/identifiers'

/**
 * The kinds of field that validators of all sections are built from. Bodies are JSON, so nothing is coerced.
 */

const emailRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (!field.isValid || typeof value !== 'string') return
    const email = normalizeEmail(value)
    if (email === null)
      field.report('The {{ field }} field must be an e-mail address', 'email', field)
    else field.mutate(email, field)
  },
  { toJSONSchema: (schema) => Object.assign(schema, { format: 'email' }) }
)

const notReservedRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value === 'string' && isReservedName(value)) {
      field.report('The {{ field }} field holds a reserved name', 'reserved', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { not: { enum: RESERVED_NAMES } }) }
)

/** The URL parser alone mends what is no absolute URL: it drops line breaks and adds slashes. */
const ABSOLUTE_HTTP_URL = /^https?:\/\/[^\s/\\][^\s\p{Cc}]*$/iu

const httpUrlRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (!field.isValid || typeof value !== 'string') return
    const url = ABSOLUTE_HTTP_URL.test(value) ? URL.parse(value) : null
    if (!url || url.username || url.password) {
      field.report(
        'The {{ field }} field must be an absolute http or https URL without credentials',
        'httpUrl',
        field
      )
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { format: 'uri', pattern: '^https?://' }) }
)

/** Some text, without what breaks a line. */
const ONE_LINE = '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*[^\\p{Cc}\\p{Z}][^\\p{Cc}\\p{Zl}\\p{Zp}]*$'

/** For text that may end up in a header or a protocol line. */
export const oneLine = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value === 'string' && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)) {
      field.report('The {{ field }} field must be one line', 'oneLine', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { pattern: ONE_LINE }) }
)

const idRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > MAX_ID) {
      field.report('The {{ field }} field must be a positive integer', 'id', field)
    }
  },
  {
    toJSONSchema: (schema) =>
      Object.assign(schema, { type: 'integer', minimum: 1, maximum: MAX_ID }),
  }
)

const momentRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value !== 'string' || !isMoment(value)) {
      field.report('The {{ field }} field must be an ISO 8601 timestamp', 'timestamp', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { format: 'date-time' }) }
)

/** A day and time that exist, in the years that both databases store alike. */
export function isMoment(text: string) {
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))
  const { isValid, year } = DateTime.fromISO(text, { zone: 'utc' })
  return isIso && isValid && year >= 1 && year <= 9999
}

const cleanTextRule = vine.createRule((value: unknown, _: undefined, field: FieldContext) => {
  if (typeof value === 'string' && !isCleanText(value)) {
    field.report('The {{ field }} field is not usable text', 'cleanText', field)
  }
})

const plainObjectRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      field.report('The {{ field }} field must be an object', 'object', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { type: 'object', anyOf: undefined }) }
)

const notNullRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (value === null) field.report('The {{ field }} field must not be null', 'notNull', field)
  },
  { implicit: true }
)

const maxJsonBytesRule = vine.createRule((value: unknown, most: number, field: FieldContext) => {
  if (field.isValid && Buffer.byteLength(JSON.stringify(value)) > most) {
    const message = `The {{ field }} field must not be larger than ${most} bytes`
    field.report(message, 'maxBytes', field)
  }
})

/** For an object or a list: at most so many bytes as JSON. */
export const maxJsonBytes = (most: number) => maxJsonBytesRule(most)

/** For an optional field: null is not the same as leaving it out. */
export const notNull = () => notNullRule()

/** An e-mail address, in its canonical form afterwards. */
export const email = () => vine.string().maxLength(1_000).use(emailRule())

/** A technical code that people choose. */
export const code = () =>
  vine.string().minLength(1).maxLength(MAX_CODE_LENGTH).regex(CODE).use(notReservedRule())

/** A lower-case code without spaces. */
export const slug = () =>
  vine.string().minLength(1).maxLength(MAX_CODE_LENGTH).regex(SLUG).use(notReservedRule())

/** A short text that must say something: without line breaks and control characters, fit for the header of a mail. */
export const label = (maxLength = 255) =>
  vine.string().trim().minLength(1).maxLength(maxLength).use(oneLine())

/** A longer text that may be empty. */
export const prose = () => vine.string().maxLength(4_000)

export const httpUrl = () => vine.string().maxLength(2_048).use(httpUrlRule())

export const id = () => vine.number({ strict: true }).use(idRule())

/** A whole number that fits an integer column. */
export const integer = () =>
  vine
    .number({ strict: true })
    .withoutDecimals()
    .range([-MAX_ID - 1, MAX_ID])

export const flag = () => vine.boolean({ strict: true })

/** Any object, as it is: nothing is copied, whatever its keys are called. */
export const anyObject = () => vine.any().use(plainObjectRule())

/** An ISO 8601 timestamp, still as text. */
export const timestamp = () => vine.string().maxLength(64).use(momentRule())

/** For a timestamp, to have it as columns do: `timestamp().transform(toMoment)`. Vine asks it about null, too. */
export const toMoment = (text: string) =>
  text === null ? text : DateTime.fromISO(text, { zone: 'utc' })

/** Text of a query string, which no body reader has looked at. */
export const queryText = (maxLength: number) =>
  vine.string().maxLength(maxLength).use(cleanTextRule())
