import { test } from '@japa/runner'
import { removeOtherSuperAdmins } from '#tests/access/callers'
import { writeRoutes, writingRoutesOfRouter } from '#tests/access/write_routes'
import {
  type Json,
  fieldsOf,
  nameOf,
  replaced,
  sendJson,
  together,
  typeOf,
} from '#tests/helpers/bodies'
import { problemOf } from '#tests/helpers/send'

/** Valid values that are likely to cause errors. */
const ODD_TEXTS = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'undefined',
  '-1',
  "' or 1=1 --",
  '%00',
  '%',
  '\\',
  '\u202e',
  '\ufeff',
  '\u{1f600}',
  'x'.repeat(300),
  'ž'.repeat(5_000),
  '@',
  'x'.repeat(70_000),
  '9999-99-99T99:99:99Z',
  '0000-01-01T00:00:00Z',
  '2024-02-31T10:00:00Z',
  'http://',
  'https://user:pass@x.example/',
  'javascript:alert(1)',
  '+01:00',
]
const ODD_NUMBERS = [0, -1, 1.5, 2 ** 31, 2 ** 53, 1e21, -(2 ** 31), Number.MAX_SAFE_INTEGER]
const ODD_LISTS = [[], [null], [[]], [{}], Array(6_000).fill(1), Array(501).fill('x'), ['a', 'a']]

test.group('Hostile bodies', (group) => {
  group.teardown(removeOtherSuperAdmins)

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
      assert.isTrue(isAccepted, `${nameOf(route)}: ${response.status} ${text}`)
    }
  })

  test('a missing field is refused by name or optional', async ({ assert, client }) => {
    for (const route of await writeRoutes(client)) {
      for (const field of Object.keys(route.body ?? {})) {
        const rest = { ...route.body }
        delete rest[field]
        const what = `${nameOf(route)} without ${field}`
        const response = await sendJson(route, rest)
        if (response.ok || response.status === 409) continue
        assert.equal(response.status, 400, what)
        const { code, details } = await problemOf(assert, response, what)
        // A template belongs to a type, for example.
        if (code !== 'VALIDATION_ERROR') continue
        assert.equal(details.errors?.[0].field, field, what)
      }
    }
  })

  test('a field of the correct type never causes a server error', async ({ assert, client }) => {
    for (const route of await writeRoutes(client)) {
      for (const { path, value } of fieldsOf(route.body ?? {})) {
        await together(oddValuesLike(value), async (odd) => {
          const what = `${nameOf(route)} ${path.join('.')} = ${JSON.stringify(odd).slice(0, 60)}`
          const response = await sendJson(route, replaced(route.body, path, odd))
          assert.isBelow(response.status, 500, what)
          assert.notEqual(response.status, 429, what)
          if (!response.ok) await problemOf(assert, response, what)
          else await response.body?.cancel()
        })
      }
    }
  }).timeout(300_000)
})

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
