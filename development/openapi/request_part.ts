import type { RequestDescription, PathParameter } from '#development/openapi/read_request'
import type { MediaTypeObject, ParameterObject } from '#development/openapi/document'
import { exampleOf } from '#development/openapi/examples'
import type { JsonSchema } from '#development/openapi/json_schema'
import { REST_OF_PATH } from '#development/openapi/served_routes'
import { bodySchema, requestSchema } from '#development/openapi/request_schemas'

const BY_KIND: Record<PathParameter['kind'], JsonSchema> = {
  id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  email: { type: 'string', format: 'email' },
  text: { type: 'string' },
}

const noReferences = (): JsonSchema => ({})

/**
 * The path parameters, in order, then those of the query and the headers.
 * @param path the pattern in the description, where parameters may have other names
 */
export async function parametersOf(
  pattern: string,
  path: string,
  asked: RequestDescription,
  root: string
) {
  const shown = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const inPath = [...pattern.matchAll(/:(\w+)|\*/g)].map(([, name = REST_OF_PATH], index) => ({
    ...pathParameter(name, asked.parameters[name]),
    name: shown[index],
  }))
  const query = asked.query.length > 0 ? await requestSchema(asked.query, root) : {}
  const fields = Object.entries(query.properties ?? {}).map(([name, schema]): ParameterObject => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    schema,
    example: exampleOf(schema, noReferences, name),
  }))
  const headers = asked.headers.map((name): ParameterObject => ({
    name,
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }))
  return [...inPath, ...fields, ...headers]
}

function pathParameter(name: string, known?: PathParameter): ParameterObject {
  const { kind, maxLength } = known ?? { kind: name === 'id' ? 'id' : 'text' }
  const schema = { ...BY_KIND[kind], ...(maxLength !== undefined && { maxLength }) }
  return {
    name,
    in: 'path',
    required: true,
    schema,
    example: exampleOf(schema, noReferences, name),
  }
}

/** Text such as CSV is not described by the schema of its content. */
function mediaOf(type: string, media: MediaTypeObject): MediaTypeObject {
  return type.startsWith('text/') ? { schema: { type: 'string' } } : media
}

export async function requestBodyOf(asked: RequestDescription, root: string) {
  if (asked.body.length === 0) return undefined
  const schema = await bodySchema(asked.body, root)
  const media: MediaTypeObject = { schema, example: exampleOf(schema, noReferences) }
  const types = asked.consumes.length > 0 ? asked.consumes : ['application/json']
  const required = (schema.required ?? []).length > 0 || schema.type !== 'object'
  return {
    required,
    content: Object.fromEntries(types.map((type) => [type, mediaOf(type, media)])),
  }
}
