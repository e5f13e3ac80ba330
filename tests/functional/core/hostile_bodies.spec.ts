import { gzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import { removeOtherSuperAdmins } from '#tests/access/callers'
import { type WriteRoute, writeRoutes, writingRoutesOfRouter } from '#tests/access/write_routes'
import { credentials, problemOf, sendBody } from '#tests/helpers/send'

type Json = unknown

const AT_ONCE = 12

/** Bodies that every route refuses. */
const HOSTILE: {
  name: string
  body: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  status: number
  code: string
}[] = [
  { name: 'text that is no JSON', body: '{"a":', status: 400, code: 'MALFORMED_JSON' },
  { name: 'two JSON texts', body: '{}{}', status: 400, code: 'MALFORMED_JSON' },
  { name: 'a trailing comma', body: '{"a":1,}', status: 400, code: 'MALFORMED_JSON' },
  { name: 'a comment', body: '{}// no', status: 400, code: 'MALFORMED_JSON' },
  { name: 'NaN', body: '{"a":NaN}', status: 400, code: 'MALFORMED_JSON' },
  { name: 'a raw NUL', body: '{"a":"\0"}', status: 400, code: 'MALFORMED_JSON' },
  { name: 'blanks only', body: '  ', status: 400, code: 'MALFORMED_JSON' },
  { name: '33 levels', body: nested(33), status: 400, code: 'VALIDATION_ERROR' },
  { name: '5,000 levels', body: nested(5_000), status: 400, code: 'VALIDATION_ERROR' },
  { name: '5,000 arrays', body: '['.repeat(5_000), status: 400, code: 'VALIDATION_ERROR' },
  { name: 'an escaped NUL', body: '{"a":"x\\u0000"}', status: 400, code: 'VALIDATION_ERROR' },
  { name: 'an escaped NUL in a key', body: '{"\\u0000":1}', status: 400, code: 'VALIDATION_ERROR' },
  { name: 'a lone surrogate', body: '{"a":["\\ud800"]}', status: 400, code: 'VALIDATION_ERROR' },
  { name: 'a raw surrogate', body: bytes([0xed, 0xa0, 0x80]), status: 400, code: 'MALFORMED_JSON' },
  { name: 'bytes that are not UTF-8', body: bytes([0xff]), status: 400, code: 'MALFORMED_JSON' },
  { name: 'an overlong encoding', body: bytes([0xc0, 0x80]), status: 400, code: 'MALFORMED_JSON' },
  { name: 'UTF-16', body: Buffer.from('{}', 'utf16le'), status: 400, code: 'MALFORMED_JSON' },
  { name: 'a number', body: '5', status: 400, code: 'VALIDATION_ERROR' },
  { name: 'a string', body: '"{}"', status: 400, code: 'VALIDATION_ERROR' },
  { name: 'null', body: 'null', status: 400, code: 'VALIDATION_ERROR' },
  { name: 'true', body: 'true', status: 400, code: 'VALIDATION_ERROR' },
  {
    name: 'plain text',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  {
    name: 'a form',
    body: 'a=b',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  {
    name: 'JSON in Latin-1',
    body: '{}',
    headers: { 'content-type': 'application/json; charset=iso-8859-1' },
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  {
    name: 'gzip',
    body: new Uint8Array(gzipSync('{}')),
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  {
    name: 'more than 1 MiB',
    body: JSON.stringify({ a: 'x'.repeat(1_048_576) }),
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
  },
]

/** Valid values that are likely to cause errors. */
const ODD_TEXTS = [
  ...['', ' ', '__proto__', 'constructor', 'undefined', '-1', "' or 1=1 --", '%00', '%', '\\'],
  ...['\u202e', '\ufeff', '\u{1f600}', 'x'.repeat(300), 'ž'.repeat(5_000), '@'],
  ...['x'.repeat(70_000), '9999-99-99T99:99:99Z', '0000-01-01T00:00:00Z', '2024-02-31T10:00:00Z'],
  ...['http://', 'https://user:pass@x.example/', 'javascript:alert(1)', '+01:00'],
]
const ODD_NUMBERS = [0, -1, 1.5, 2 ** 31, 2 ** 53, 1e21, -(2 ** 31), Number.MAX_SAFE_INTEGER]
const ODD_LISTS = [[], [null], [[]], [{}], Array(6_000).fill(1), Array(501).fill('x'), ['a', 'a']]
const HOSTILE_OBJECTS = [
  '{"__proto__":{"email":"eve@acme.example"}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"__proto__":null,"toString":1,"hasOwnProperty":2,"valueOf":3}',
  '{"\\u005f_proto__":{"polluted":true}}',
]

test.group('Hostile bodies', (group) => {
  group.teardown(removeOtherSuperAdmins)

  let refusing: Promise<WriteRoute[]> | undefined

  test('the table lists every route that writes', async ({ assert, client }) => {
    const rows = await writeRoutes(client)
    assert.sameMembers(
      rows.map(({ method, pattern }) => `${method} ${pattern}`),
      writingRoutesOfRouter()
    )
  })

  test('every route accepts its body in the table', async ({ assert, client }) => {
    for (const route of await writeRoutes(client)) {
      const response = await sendJson(route, route.body)
      const text = await response.text()
      // The service under test has no account at the identity provider.
      const isAccepted = response.ok || text.includes('"SERVICE_ACCOUNT_NOT_CONFIGURED"')
      assert.isTrue(isAccepted, `${name(route)}: ${response.status} ${text}`)
    }
  })

  test('{name} is {status} {code} on every route that writes')
    .with(HOSTILE)
    .run(async ({ assert, client }, { body, headers, status, code }) => {
      // All of them are refused, so one set of routes remains unchanged.
      refusing ??= writeRoutes(client)
      await all(await refusing, async (route) => {
        const sender = await credentials(route.sender, body)
        const response = await sendBody(route.method, route.path, body, { ...sender, ...headers })
        assert.equal(response.status, status, name(route))
        assert.equal((await problemOf(assert, response, name(route))).code, code, name(route))
      })
    })

  test('a field of the wrong JSON type is refused, not coerced', async ({ assert, client }) => {
    for (const route of await writeRoutes(client)) {
      for (const { path, value } of fieldsOf(route.body ?? {})) {
        await all(valuesOfOtherTypes(value), async (wrong) => {
          const what = `${name(route)} ${path.join('.')} = ${JSON.stringify(wrong)}`
          const response = await sendJson(route, replaced(route.body, path, wrong))
          if (path.length > 1 && path[0] === route.itemwise) {
            const { data } = (await response.json()) as { data: object[] }
            return assert.containSubset(data, [{ id: null, code: 'VALIDATION_ERROR' }], what)
          }
          assert.equal(response.status, 400, what)
          const problem = await problemOf(assert, response, what)
          assert.equal(problem.code, 'VALIDATION_ERROR', what)
          assert.include(problem.details.errors?.[0].field, String(path[0]), what)
        })
      }
    }
  }).timeout(120_000)

  test('a missing field is refused by name or optional', async ({ assert, client }) => {
    for (const route of await writeRoutes(client)) {
      for (const field of Object.keys(route.body ?? {})) {
        const rest = { ...route.body }
        delete rest[field]
        const what = `${name(route)} without ${field}`
        const response = await sendJson(route, rest)
        if (response.ok || response.status === 409) continue
        assert.equal(response.status, 400, what)
        assert.equal(
          (await problemOf(assert, response, what)).details.errors?.[0].field,
          field,
          what
        )
      }
    }
  })

  test('a field of the right type never causes a server error', async ({ assert, client }) => {
    for (const route of await writeRoutes(client)) {
      for (const { path, value } of fieldsOf(route.body ?? {})) {
        await all(oddValuesLike(value), async (odd) => {
          const what = `${name(route)} ${path.join('.')} = ${JSON.stringify(odd).slice(0, 60)}`
          const response = await sendJson(route, replaced(route.body, path, odd))
          assert.isBelow(response.status, 500, what)
          assert.notEqual(response.status, 429, what)
          if (!response.ok) await problemOf(assert, response, what)
          else await response.body?.cancel()
        })
      }
    }
  }).timeout(120_000)

  test('keys such as __proto__ never reach a prototype', async ({ assert, client }) => {
    for (const route of await writeRoutes(client)) {
      for (const body of HOSTILE_OBJECTS) {
        const response = await sendBody(
          route.method,
          route.path,
          body,
          await credentials(route.sender, body)
        )
        assert.isBelow(response.status, 500, `${name(route)} ${body}`)
        await response.body?.cancel()
      }
    }
    assert.notProperty({}, 'polluted')
    assert.notProperty({}, 'email')
    assert.equal(Object.prototype.toString.call([]), '[object Array]')
  })
})

function name({ method, pattern }: WriteRoute) {
  return `${method} ${pattern}`
}

/** Concurrent, to find races, but fewer than one author may queue. */
async function all<T>(values: T[], run: (value: T) => Promise<void>) {
  for (let from = 0; from < values.length; from += AT_ONCE) {
    await Promise.all(values.slice(from, from + AT_ONCE).map(run))
  }
}

async function sendJson(route: WriteRoute, body: Json) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = await credentials(route.sender, text)
  return sendBody(route.method, route.path, text, headers)
}

function nested(depth: number) {
  return '{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1)
}

/** The bytes, inside a string of a JSON object. */
function bytes(inside: number[]) {
  return new Uint8Array([...Buffer.from('{"a":"'), ...inside, ...Buffer.from('"}')])
}

interface Field {
  path: (string | number)[]
  value: Json
}

/** Including fields of nested objects and arrays. */
function fieldsOf(value: Json, path: Field['path'] = []): Field[] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, child]) =>
          fieldsOf(child, [...path, Array.isArray(value) ? Number(key) : key])
        )
      : []
  return path.length === 0 ? inside : [{ path, value }, ...inside]
}

function replaced(body: Json, [key, ...rest]: Field['path'], value: Json): Json {
  if (key === undefined) return value
  const copy: Record<string | number, Json> = Array.isArray(body)
    ? ([...body] as never)
    : { ...(body as object) }
  copy[key] = replaced(copy[key], rest, value)
  return copy
}

function typeOf(value: Json) {
  return Array.isArray(value) ? 'array' : typeof value
}

function valuesOfOtherTypes(value: Json): Json[] {
  const others = [5, 1, '5', 'true', true, [], [value], {}, { length: 3 }]
  return others.filter((other) => typeOf(other) !== typeOf(value))
}

function oddValuesLike(value: Json): Json[] {
  switch (typeOf(value)) {
    case 'string':
      return [...ODD_TEXTS, null]
    case 'number':
      return [...ODD_NUMBERS, null]
    case 'array':
      return [...ODD_LISTS, null]
    default:
      return [null]
  }
}
