import { test } from '@japa/runner'
import type { JsonSchema } from '#development/openapi/json_schema'
import {
  type Described,
  document,
  operationName,
  operations,
  responseOf,
} from '#tests/helpers/described_operations'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { uniqueLanguage } from '#tests/helpers/platform'
import { credentials, sendBody } from '#tests/helpers/send'
import { type WriteRoute, writeRoutes } from '#tests/access/write_routes'

type Body = Record<string, unknown>
type Path = (string | number)[]

/** Values that only one resource can have. */
const UNIQUE: Record<string, (pattern: string, given: unknown) => unknown> = {
  code: (pattern) => (pattern.endsWith('/languages') ? uniqueLanguage() : uniqueCode()),
  slug: () => uniqueCode(),
  name: () => uniqueCode(),
  key: () => uniqueCode(),
  idpOrgId: () => uniqueCode(),
  organisations: () => [uniqueCode()],
  email: (pattern, given) => (pattern.endsWith('/suppressions') ? uniqueEmail() : given),
}
/** Not shown as null when they are cleared, or null in other states only. */
const SHOWN_OTHERWISE: (string | number)[] = [
  'displayName',
  'appearance',
  'scheduledAt',
  'template',
]

test.group('A null field', () => {
  test('counts as absent in checks and creations', async ({ assert, client }) => {
    const found: string[] = []
    for (const route of await writeRoutes(client)) {
      if (route.method !== 'POST') continue
      for (const path of optionalFieldsOf(route)) {
        const what = `${name(route)} ${path.join('.')}`
        const absent = await send(route, withUniqueValues(route, replaced(route.body, path)))
        const isNull = await send(route, withUniqueValues(route, replaced(route.body, path, null)))
        assert.deepEqual(isNull, absent, what)
        found.push(what)
      }
    }
    assert.isAbove(found.length, 60)
  }).timeout(120_000)

  test('clears nullable fields in an update and does not change others', async ({
    assert,
    client,
  }) => {
    const cleared: string[] = []
    const kept: string[] = []
    for (const route of await writeRoutes(client)) {
      if (route.method === 'POST') continue
      for (const path of optionalFieldsOf(route)) {
        const what = `${name(route)} ${path.join('.')}`
        const [field] = path
        const before = await send(route, route.body)
        const change = path.length > 1 ? { [field]: route.body![field] } : { [field]: undefined }
        const after = await send(route, replaced({ ...requiredOf(route), ...change }, path, null))
        assert.equal(after.isAccepted, before.isAccepted, what)
        if (path.length > 1) continue
        if (!before.stored || !(field in before.stored) || SHOWN_OTHERWISE.includes(field)) continue
        const expected = isNullable(route, field as string) ? null : before.stored[field]
        assert.deepEqual(after.stored?.[field], expected, what)
        ;(expected === null ? cleared : kept).push(what)
      }
    }
    assert.includeMembers(cleared, [
      'PUT /api/profile/me locale',
      'PUT /api/profile/me firstName',
      'PUT /api/applications/:appCode description',
    ])
    assert.includeMembers(kept, [
      'PUT /api/profile/me theme',
      'PUT /api/applications/:appCode name',
    ])
  })
})

function name({ method, pattern }: WriteRoute) {
  return `${method} ${pattern}`
}

async function send(route: WriteRoute, body: unknown) {
  const text = JSON.stringify(body)
  const headers = await credentials(route.sender, text)
  const response = await sendBody(route.method, route.path, text, headers)
  const content = await response.text()
  const json = content.startsWith('{') ? JSON.parse(content) : {}
  const stored: Body | undefined = json.data ?? json.response
  const shown = route.method === 'POST' ? withoutIdentity(stored) : stored
  return { isAccepted: response.ok, code: json.code, stored: shown }
}

/** What distinguishes two resources that were created alike, or a report that was repeated. */
function withoutIdentity(stored: Body | undefined) {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return undefined
  const identity = /^(id|email|key|prefix|endpoint|nextCursor|recorded|secret|.*At)$/
  const rest = Object.entries(stored).filter(([field]) => !identity.test(field))
  return Object.fromEntries(rest.filter(([field]) => !(field in UNIQUE)))
}

function withUniqueValues({ method, pattern }: WriteRoute, body: Body): Body {
  if (method !== 'POST') return body
  const fields = Object.keys(body).filter((field) => field in UNIQUE && body[field] !== null)
  return {
    ...body,
    ...Object.fromEntries(fields.map((field) => [field, UNIQUE[field](pattern, body[field])])),
  }
}

function described({ method, pattern }: WriteRoute): Described {
  return operations.get(operationName(method, pattern))!
}

function bodySchemaOf(route: WriteRoute): JsonSchema {
  const content = described(route).operation.requestBody?.content ?? {}
  return content['application/json']?.schema ?? {}
}

function requiredOf(route: WriteRoute): Body {
  const required = bodySchemaOf(route).required ?? []
  return Object.fromEntries(required.map((field) => [field, route.body![field]]))
}

/** Those that the valid body has. */
function optionalFieldsOf(route: WriteRoute): Path[] {
  return route.body ? optionalIn(bodySchemaOf(route), route.body) : []
}

function optionalIn(schema: JsonSchema, value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    const { items } = [schema, ...(schema.anyOf ?? [])].find((choice) => choice.items) ?? {}
    return value.flatMap((item, index) => prefixed(index, optionalIn(items ?? {}, item)))
  }
  return Object.entries(value).flatMap(([field, child]) => {
    const choice = choiceWith(schema, field)
    const property = choice?.properties?.[field]
    if (!property) return []
    const isOptional = !choice.required?.includes(field)
    return [...(isOptional ? [[field]] : []), ...prefixed(field, optionalIn(property, child))]
  })
}

const prefixed = (step: string | number, paths: Path[]) => paths.map((path) => [step, ...path])

function choiceWith(schema: JsonSchema, field: string): JsonSchema | undefined {
  return [schema, ...(schema.anyOf ?? [])].find(({ properties }) => properties?.[field])
}

/** Whether responses can show the field as null. */
function isNullable(route: WriteRoute, field: string): boolean {
  const envelope = responseOf(described(route), 200)!.content!['application/json'].schema
  const { data, response } = resolved(envelope).properties!
  const { type, anyOf = [] } = resolved(resolved(data ?? response).properties![field])
  return [type, ...anyOf.map((choice) => choice.type)].flat().includes('null')
}

function resolved(schema: JsonSchema): JsonSchema {
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!] : schema
}

/** Without the field if there is no value. */
function replaced(body: unknown, [step, ...rest]: Path, value?: unknown): Body {
  const copy = (Array.isArray(body) ? [...body] : { ...(body as Body) }) as Body
  if (rest.length > 0) copy[step] = replaced(copy[step], rest, value)
  else if (value === undefined) delete copy[step]
  else copy[step] = value
  return copy
}
