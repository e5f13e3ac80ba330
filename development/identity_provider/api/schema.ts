import { Ajv, type SchemaObject, type ValidateFunction } from 'ajv'
import { invalid } from './refusal.ts'

const MAX_NAME_LENGTH = 200
export const MAX_PAGE = 100

/** A JSON object without other members than these. */
export function object(
  properties: Record<string, SchemaObject>,
  required: string[] = []
): SchemaObject {
  return { type: 'object', properties, required, additionalProperties: false }
}

export const NOTHING = object({})
export const FLAG = { type: 'boolean' }
export const NAME = { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH }
export const list = (items: SchemaObject, maxItems = 1_000) => ({ type: 'array', items, maxItems })
export const oneOf = (...values: string[]) => ({ type: 'string', enum: values })

export const PAGE = object({
  offset: { type: 'string', pattern: '^\\d{1,18}$' },
  limit: { type: 'integer', minimum: 0, maximum: MAX_PAGE },
  asc: FLAG,
})

export const METHOD = oneOf(
  'TEXT_QUERY_METHOD_EQUALS',
  'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE',
  'TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE'
)

/** A query is an object with one member, which names its kind. */
export const queries = (kinds: Record<string, SchemaObject>) =>
  list({ ...object(kinds), minProperties: 1, maxProperties: 1 }, 100)

export const NAME_QUERIES = queries({ nameQuery: object({ name: NAME, method: METHOD }, ['name']) })

const ajv = new Ajv({ allowUnionTypes: true })
const compiled = new WeakMap<SchemaObject, ValidateFunction>()

/** @throws Refused 400 that names the member */
export function requireValid(body: unknown, schema: SchemaObject): void {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  if (validate(body)) return
  const [{ instancePath, message, params }] = validate.errors!
  throw invalid(`body${instancePath} ${message} ${JSON.stringify(params)}`)
}
