import fc from 'fast-check'
import type { ParameterObject } from '#development/openapi/document'
import { ODD_TEXTS, oddValue, valueOf } from '#tests/contract/fuzz/values'
import type { Target } from '#tests/contract/targets'

export interface FuzzRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
  /** Whether it has valid credentials. */
  credentials: boolean
}

type Mutation =
  | { kind: 'none' }
  | { kind: 'replace' | 'add'; at: number; key: string; value: unknown }
  | { kind: 'drop'; at: number }
  | { kind: 'raw'; body: string }
  | { kind: 'path'; at: number; text: string }
  | { kind: 'query'; key: string; text: string }
  | { kind: 'headers'; headers: Record<string, string> }
  | { kind: 'nobody' }

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

const RAW_BODIES = [
  '',
  ' ',
  '{',
  '[]',
  '{}{}',
  'null',
  '5',
  '"text"',
  '[[]]',
  '{"a":1,}',
  '\u0000',
  '{"\\ud800":1}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '['.repeat(50),
  `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
  '{"a":1e999}',
  '{"a":1,"a":2}',
]

const HEADERS: Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'content-encoding': 'gzip' },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'Basic YTpi' },
  { 'x-internal-api-key': 'wrong' },
  { 'x-webhook-secret': 'wrong' },
  { 'idempotency-key': ' ' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'x-request-id': 'a b\tc' },
  { 'x-forwarded-for': '10.0.0.1' },
  { accept: 'text/html' },
]

/** Requests of one operation: some valid, most with one mutation. */
export function requestsOf(target: Target): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      scene: fc.constantFrom(...target.scenes),
      made: bodyOf(target),
      use: fc.constantFrom('made', 'given', 'both'),
      query: queryOf(target),
      mutation,
    })
    .map(({ scene, made, use, query, mutation: change }) => {
      const given = use === 'made' ? undefined : scene.given
      if (target.method === 'GET')
        return built(target, scene.path, made, { ...query, ...given }, change)
      return built(
        target,
        scene.path,
        use === 'given' ? (given ?? made) : merged(given, made),
        query,
        change
      )
    })
}

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Mutation>({ kind: 'none' }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('replace' as const, 'add' as const),
      at: fc.nat(30),
      key: fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ maxLength: 8 })),
      value: oddValue,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), at: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('raw' as const),
      body: fc.constantFrom(...RAW_BODIES),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('path' as const),
      at: fc.nat(4),
      text: fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'grapheme', maxLength: 12 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('query' as const),
      key: fc.constantFrom('limit', 'cursor', 'appCode', 'unreadOnly', 'active', 'search', 'from'),
      text: fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'grapheme', maxLength: 12 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('headers' as const),
      headers: fc.constantFrom(...HEADERS),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Mutation>({ kind: 'nobody' }) }
)

function bodyOf({ operation }: Target): fc.Arbitrary<unknown> {
  const schema = operation.requestBody?.content['application/json']?.schema
  return schema ? valueOf(schema) : fc.constant(undefined)
}

function queryOf({ operation }: Target): fc.Arbitrary<Record<string, unknown>> {
  const parameters = (operation.parameters ?? []).filter(({ in: place }) => place === 'query')
  const entries = parameters.map(({ name, schema }: ParameterObject) => [
    name,
    valueOf(schema, name),
  ])
  const fields = Object.fromEntries(entries) as Record<string, fc.Arbitrary<unknown>>
  const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name)
  return fc.record(fields, { requiredKeys, noNullPrototype: true }) as never
}

/** A valid body, with generated values in some optional fields. */
function merged(given: unknown, made: unknown): unknown {
  if (given === undefined) return made
  return isObject(given) && isObject(made) ? { ...made, ...given } : given
}

function built(
  { method, pattern, operation }: Target,
  path: string,
  body: unknown,
  query: Record<string, unknown>,
  change: Mutation
): FuzzRequest {
  const types = Object.keys(operation.requestBody?.content ?? { [JSON_TYPE]: {} })
  const isForm = !types.includes(JSON_TYPE)
  const made = isForm ? 'List-Unsubscribe=One-Click' : textOf(changed(body, change))
  const text = change.kind === 'raw' ? change.body : made
  const fields = change.kind === 'query' ? { ...query, [change.key]: change.text } : query
  const search = Object.entries(fields).map(([key, value]) => `${key}=${encoded(String(value))}`)
  const where = change.kind === 'path' ? withText(pattern, path, change.at, change.text) : path
  const hasBody = method !== 'GET' && text !== undefined
  return {
    method,
    path: search.length > 0 ? `${where}?${search.join('&')}` : where,
    headers: {
      ...(hasBody ? { 'content-type': isForm ? FORM : JSON_TYPE } : {}),
      ...(change.kind === 'headers' ? change.headers : {}),
    },
    body: hasBody ? text : undefined,
    credentials: change.kind !== 'nobody',
  }
}

const textOf = (body: unknown) => (body === undefined ? undefined : JSON.stringify(body))

function changed(body: unknown, change: Mutation): unknown {
  if (!isObject(body) || !('at' in change) || change.kind === 'path') return body
  const keys = Object.keys(body)
  const key = keys[change.at % Math.max(keys.length, 1)]
  if (change.kind === 'add') return { ...body, [change.key]: change.value }
  if (key === undefined) return body
  const inner = body[key]
  if (change.kind === 'drop') {
    return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
  }
  if (isObject(inner) && change.at > keys.length) return { ...body, [key]: changed(inner, change) }
  return { ...body, [key]: change.value }
}

function withText(pattern: string, path: string, at: number, text: string) {
  const places = pattern
    .split('/')
    .flatMap((segment, index) => (segment.startsWith(':') ? [index] : []))
  const place = places[at % Math.max(places.length, 1)]
  return path
    .split('/')
    .map((segment, index) => (index === place ? encoded(text) : segment))
    .join('/')
}

/** Lone surrogates are encoded as bytes that no decoder accepts. */
function encoded(text: string) {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
