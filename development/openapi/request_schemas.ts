import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SchemaReference } from '#development/openapi/read_request'
import { type JsonSchema, nullable } from '#development/openapi/json_schema'

/** Optional fields of a body can be null (conventions.md#missing-and-null-fields). @throws Error */
export async function bodySchema(references: SchemaReference[], root: string) {
  return withNullableFields(await requestSchema(references, root))
}

/**
 * Combines the JSON Schemas of validators.
 * @throws Error if a reference does not name a schema
 */
export async function requestSchema(
  references: SchemaReference[],
  root: string
): Promise<JsonSchema> {
  const schemas = await Promise.all(references.map((reference) => load(reference, root)))
  if (schemas.length === 1) return schemas[0]
  const required = [...new Set(schemas.flatMap((schema) => schema.required ?? []))]
  return {
    type: 'object',
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
    ...(required.length > 0 && { required }),
  }
}

async function load({ module, name }: SchemaReference, root: string): Promise<JsonSchema> {
  const exported = await import(pathToFileURL(join(root, `${module}.ts`)).href)
  const described = exported[name]
  if (typeof described !== 'object' || described === null) {
    throw new Error(`${module} must export ${name}: request validators are exported constants`)
  }
  return allowUnknownFields('toJSONSchema' in described ? described.toJSONSchema() : described)
}

/** Unknown fields are ignored (conventions.md#unknown-fields). */
function allowUnknownFields(schema: JsonSchema): JsonSchema {
  const { additionalProperties, required = [], ...rest } = schema
  const result: JsonSchema = { ...rest }
  if (required.length > 0) result.required = required
  if (typeof additionalProperties === 'object') {
    result.additionalProperties = allowUnknownFields(additionalProperties)
  }
  if (result.enum && !result.type) result.type = 'string'
  if (result.items) result.items = allowUnknownFields(result.items)
  if (result.anyOf) result.anyOf = result.anyOf.map(allowUnknownFields)
  if (result.properties) {
    const entries = Object.entries(result.properties)
    result.properties = Object.fromEntries(
      entries.map(([key, value]) => [key, allowUnknownFields(value)])
    )
    return withOptionalUnions(result)
  }
  return result
}

/** Vine describes an optional union as a required one with a branch for anything. */
function withOptionalUnions(schema: JsonSchema): JsonSchema {
  const result = { ...schema }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const choices = field.anyOf?.filter((choice) => Object.keys(choice).length > 0)
    if (!choices || choices.length === field.anyOf!.length) continue
    result.properties = { ...result.properties, [name]: { ...field, anyOf: choices } }
    result.required = result.required?.filter((each) => each !== name)
  }
  if (result.required?.length === 0) delete result.required
  return result
}

function withNullableFields(schema: JsonSchema): JsonSchema {
  const result: JsonSchema = { ...schema }
  if (schema.items) result.items = withNullableFields(schema.items)
  if (schema.anyOf) result.anyOf = schema.anyOf.map(withNullableFields)
  if (schema.properties) {
    const entries = Object.entries(schema.properties).map(([name, field]) => {
      const inner = withNullableFields(field)
      return [name, schema.required?.includes(name) || isNullable(inner) ? inner : nullable(inner)]
    })
    result.properties = Object.fromEntries(entries)
  }
  return result
}

const isNullable = ({ type, anyOf = [] }: JsonSchema): boolean =>
  [type].flat().includes('null') || anyOf.some(isNullable)
