import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'

const plainObjectRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      field.report('{{ field }} must be an object', 'object', field)
    }
  },
  { toJSONSchema: (schema) => Object.assign(schema, { type: 'object', anyOf: undefined }) }
)

/** Accepts any keys and does not copy the object. */
export const anyObject = () => vine.any().use(plainObjectRule())

const maxJsonBytesRule = vine.createRule((value: unknown, limit: number, field: FieldContext) => {
  if (field.isValid && Buffer.byteLength(JSON.stringify(value)) > limit) {
    const message = `{{ field }} must be at most ${limit} bytes`
    field.report(message, 'maxBytes', field, { max: limit })
  }
})

/** Limits the size of an object or a list as JSON. */
export const maxJsonBytes = (limit: number) => maxJsonBytesRule(limit)

const maxJsonValuesRule = vine.createRule((value: unknown, limit: number, field: FieldContext) => {
  if (field.isValid && hasMoreValues(value, limit)) {
    const message = `{{ field }} must have at most ${limit} values in its objects and lists`
    field.report(message, 'maxValues', field, { max: limit })
  }
})

/** Limits the members and items of an object and of all that it contains. */
export const maxJsonValues = (limit: number) => maxJsonValuesRule(limit)

function hasMoreValues(value: unknown, limit: number): boolean {
  let count = 0
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    const values = Array.isArray(next) ? next : Object.values(next)
    count += values.length
    if (count > limit) return true
    for (const inner of values) if (typeof inner === 'object') waiting.push(inner)
  }
  return false
}
