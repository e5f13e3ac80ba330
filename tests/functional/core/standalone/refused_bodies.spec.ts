import { gzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import { removeOtherSuperAdmins } from '#tests/access/callers'
import { type WriteRoute, writeRoutes } from '#tests/access/write_routes'
import {
  type Json,
  fieldsOf,
  nameOf,
  replaced,
  sendJson,
  together,
  typeOf,
} from '#tests/helpers/bodies'
import { credentials, problemOf, sendBody } from '#tests/helpers/send'

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

const HOSTILE_OBJECTS = [
  '{"__proto__":{"email":"eve@acme.example"}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"__proto__":null,"toString":1,"hasOwnProperty":2,"valueOf":3}',
  '{"\\u005f_proto__":{"polluted":true}}',
]

test.group('Refused bodies', (group) => {
  group.teardown(removeOtherSuperAdmins)

  let refusing: Promise<WriteRoute[]> | undefined

  test('{name} is {status} {code} on every route that writes')
    .with(HOSTILE)
    .run(async ({ assert, client }, { body, headers, status, code }) => {
      // All of them are refused, so one set of routes remains unchanged.
      refusing ??= writeRoutes(client)
      await together(await refusing, async (route) => {
        const sender = await credentials(route.sender, body)
        const response = await sendBody(route.method, route.path, body, { ...sender, ...headers })
        assert.equal(response.status, statusFor(route, status), nameOf(route))
        assert.equal((await problemOf(assert, response, nameOf(route))).code, code, nameOf(route))
      })
    })

  test('a field of the wrong JSON type is refused, not coerced', async ({ assert, client }) => {
    for (const route of await writeRoutes(client)) {
      const fields = fieldsOf(route.body ?? {}).filter(({ path }) => !isFreeForm(path))
      for (const { path, value } of fields) {
        await together(valuesOfOtherTypes(value), async (wrong) => {
          const what = `${nameOf(route)} ${path.join('.')} = ${JSON.stringify(wrong)}`
          const response = await sendJson(route, replaced(route.body, path, wrong))
          if (path.length > 1 && path[0] === route.itemwise) {
            return assert.containSubset(await response.json(), REFUSED_ITEM[route.itemwise], what)
          }
          assert.equal(response.status, 400, what)
          const problem = await problemOf(assert, response, what)
          assert.equal(problem.code, 'VALIDATION_ERROR', what)
          assert.include(problem.details.errors?.[0].field, String(path[0]), what)
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
        assert.isBelow(response.status, 500, `${nameOf(route)} ${body}`)
        await response.body?.cancel()
      }
    }
    assert.notProperty({}, 'polluted')
    assert.notProperty({}, 'email')
    assert.equal(Object.prototype.toString.call([]), '[object Array]')
  })
})

/** Properties of resources, the context of an evaluation and sample data can be anything. */
function isFreeForm(path: (string | number)[]) {
  const around = path.slice(0, -1)
  if (around[0] === 'samples') return around.includes('data')
  return around.includes('properties') || around.includes('context')
}

/** The AuthZEN endpoints have no 415 (authzen.md#errors). */
const statusFor = ({ pattern }: WriteRoute, status: number) =>
  pattern.startsWith('/api/authzen/') && status === 415 ? 400 : status

/** A part of the response, by the field whose items are validated one by one. */
const REFUSED_ITEM: Record<string, object> = {
  notifications: { data: [{ id: null, code: 'VALIDATION_ERROR' }] },
  evaluations: { evaluations: [{ decision: false, context: { error: { status: 400 } } }] },
}

function nested(depth: number) {
  return '{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1)
}

/** The bytes, inside a string of a JSON object. */
function bytes(inside: number[]) {
  return new Uint8Array([...Buffer.from('{"a":"'), ...inside, ...Buffer.from('"}')])
}

function valuesOfOtherTypes(value: Json): Json[] {
  // A field that is null takes text.
  const texts = value === null ? [] : ['5', 'true']
  const others = [5, 1, ...texts, true, [], [value], {}, { length: 3 }]
  return others.filter((other) => typeOf(other) !== typeOf(value))
}
