import type { OutputUnit, Schema } from '@cfworker/json-schema'

/** What a value breaks: the keyword of the schema and its limit, such as `maxLength` and 128. */
export interface BrokenRule {
  field: string
  keyword: string
  limit: unknown
}

/** Keywords that only say that something within them is wrong. */
const OUTER = new Set(['properties', 'items', 'not', 'anyOf', 'oneOf', 'allOf'])

/**
 * Checks a request body as the service describes it. The validator interprets the schema, because
 * the policy of the page allows no generated code. If it cannot be loaded, the service checks
 * alone: some browsers never load again what has failed once.
 */
export async function brokenRules(schema: object, body: unknown): Promise<BrokenRule[]> {
  // Only who sends a form needs it.
  const validator = await import('@cfworker/json-schema').catch(() => null)
  if (!validator) return []
  const { errors } = new validator.Validator(schema as Schema, '2020-12', false).validate(body)
  const found = errors
    .filter(({ keyword }) => !OUTER.has(keyword))
    .map((error) => ({
      field: fieldOf(error),
      keyword: error.keyword,
      limit: valueAt(schema, error.keywordLocation),
    }))
  const firstOfField = new Map(found.toReversed().map((rule) => [rule.field, rule]))
  return found.filter((rule) => firstOfField.get(rule.field) === rule)
}

function fieldOf({ keyword, instanceLocation, error }: OutputUnit): string {
  const path = instanceLocation.slice(2).split('/').filter(Boolean)
  if (keyword === 'required') path.push(/"([^"]+)"/.exec(error)?.[1] ?? '')
  return path[0] ?? ''
}

function valueAt(schema: unknown, pointer: string): unknown {
  let node = schema as Record<string, unknown> | undefined
  for (const key of pointer.slice(2).split('/')) {
    node = node?.[decodeURIComponent(key)] as Record<string, unknown> | undefined
  }
  return node
}
