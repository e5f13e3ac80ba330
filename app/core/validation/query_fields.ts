import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { isCleanText } from '#core/values/clean_text'

const cleanTextRule = vine.createRule((value: unknown, _: undefined, field: FieldContext) => {
  if (typeof value === 'string' && !isCleanText(value)) {
    field.report(
      '{{ field }} must not contain NUL characters or lone surrogates',
      'cleanText',
      field
    )
  }
})

/** A flag in a query string. */
export const queryFlag = () =>
  vine
    .enum(['true', 'false', '1', '0'] as const)
    .transform((text) => text === 'true' || text === '1')
    .optional()

/** Query strings are not checked by the JSON parser. */
export const queryText = (maxLength: number) =>
  vine.string().maxLength(maxLength).use(cleanTextRule())
