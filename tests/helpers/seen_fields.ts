import type { JsonSchema } from '#development/openapi/json_schema'
import { asPointer, document } from '#tests/helpers/described_operations'
import { validatorAt } from '#tests/helpers/validators'

interface Part {
  schema: JsonSchema
  pointer: string
  value: unknown
}

/** Stands for every value of a schema. */
const EVERYTHING = Symbol('everything')

const described = new Map<string, Set<string>>()
/** JSON pointers of the fields that this process has seen. */
export const seenFields = new Set<string>()

/** JSON pointers of all fields, including those of referenced schemas. */
export function fieldsAt(pointer: string, schema: JsonSchema): Set<string> {
  const known = described.get(pointer)
  if (known) return known
  const places = new Set<string>()
  collect({ schema, pointer, value: EVERYTHING }, places)
  const fields = new Set([...places].filter((place) => /\/properties\/[^/]+$/.test(place)))
  described.set(pointer, fields)
  return fields
}

/** Records the fields of a valid body. A null field does not count. */
export function recordFields(pointer: string, schema: JsonSchema, body: string) {
  if (fieldsAt(pointer, schema).isSubsetOf(seenFields)) return
  collect({ schema, pointer, value: JSON.parse(body) }, seenFields)
}

function collect(part: Part, places: Set<string>) {
  for (const inner of partsOf(part)) {
    const { schema, pointer, value } = inner
    if (schema.type === 'null' || value === null || value === undefined) continue
    if (value === EVERYTHING && places.has(pointer)) continue
    places.add(pointer)
    collect(inner, places)
  }
}

function* partsOf({ schema, pointer, value }: Part): Generator<Part> {
  const { $ref, anyOf = [], items, properties = {}, additionalProperties } = schema
  if ($ref) {
    const name = $ref.split('/').at(-1)!
    yield { schema: document.components.schemas[name], pointer: $ref, value }
  }
  for (const [index, choice] of anyOf.entries()) {
    const at = `${pointer}/anyOf/${index}`
    if (value === EVERYTHING || validatorAt(at)?.(value))
      yield { schema: choice, pointer: at, value }
  }
  for (const item of items ? listIn(value) : []) {
    yield { schema: items!, pointer: `${pointer}/items`, value: item }
  }
  for (const [name, field] of Object.entries(properties)) {
    const inside = value === EVERYTHING ? EVERYTHING : fieldsOf(value)[name]
    yield { schema: field, pointer: `${pointer}/properties/${asPointer(name)}`, value: inside }
  }
  if (typeof additionalProperties !== 'object') return
  for (const [name, inside] of Object.entries(fieldsOf(value))) {
    if (name in properties) continue
    yield {
      schema: additionalProperties,
      pointer: `${pointer}/additionalProperties`,
      value: inside,
    }
  }
}

function listIn(value: unknown): unknown[] {
  if (value === EVERYTHING) return [EVERYTHING]
  return Array.isArray(value) ? value : []
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === EVERYTHING) return { '*': EVERYTHING }
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
