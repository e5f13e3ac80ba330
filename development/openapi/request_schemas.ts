import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SchemaReference } from '#development/openapi/asked_for'
import type { JsonSchema } from '#development/openapi/json_schema'

/**
 * The JSON Schema of a request that all of these validators read.
 *
 * @param root the project's folder
 * @throws Error when a reference names nothing that describes itself
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
    throw new Error(`${module} exports no ${name}: validators of requests are exported constants`)
  }
  return open('toJSONSchema' in described ? described.toJSONSchema() : described)
}

/** Fields beyond the described ones are ignored, not refused (conventions.md#unknown-fields). */
function open(schema: JsonSchema): JsonSchema {
  const { additionalProperties, required = [], ...rest } = schema
  const result: JsonSchema = { ...rest }
  if (required.length > 0) result.required = required
  if (typeof additionalProperties === 'object') {
    result.additionalProperties = open(additionalProperties)
  }
  if (result.enum && !result.type) result.type = 'string'
  if (result.items) result.items = open(result.items)
  if (result.anyOf) result.anyOf = result.anyOf.map(open)
  if (result.properties) {
    const entries = Object.entries(result.properties)
    result.properties = Object.fromEntries(entries.map(([key, value]) => [key, open(value)]))
  }
  return result
}
