import { test } from '@japa/runner'
import { credentials, problemOf, sendBody } from '#tests/helpers/send'

const GENERATED = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const idOf = async (given?: string, path = '/api/health/live') => {
  const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given }
  const response = await sendBody('GET', path, undefined, headers)
  return { response, id: response.headers.get('x-request-id') }
}

test.group('Request id', () => {
  test('a valid id of the caller is echoed', async ({ assert }) => {
    for (const given of ['a', 'trace-01:span.2_x', 'A'.repeat(128)]) {
      assert.equal((await idOf(given)).id, given)
    }
  })

  test('an invalid id is replaced', async ({ assert }) => {
    for (const given of [
      'A'.repeat(129),
      'two words',
      'a,b',
      '<script>',
      '{"a":1}',
      '"',
      'caf\u00e9',
      '${jndi:x}',
      'cgk_key-in-the-wrong-header',
      '',
    ]) {
      assert.match((await idOf(given)).id!, GENERATED, given)
    }
  })

  test('every response has a unique id, the same in the header and the problem', async ({
    assert,
  }) => {
    const seen = new Set<string>()
    for (const path of [
      '/api/health/live',
      '/api/nowhere',
      '/api/profile/me',
      '/api/health/ready',
    ]) {
      const { response, id } = await idOf(undefined, path)
      assert.match(id!, GENERATED)
      seen.add(id!)
      if (!response.ok) assert.equal((await problemOf(assert, response)).requestId, id)
    }
    assert.lengthOf([...seen], 4)
  })

  test('problems contain the id of the caller', async ({ assert }) => {
    const headers = { ...(await credentials('token')), 'x-request-id': 'order-66' }
    for (const [method, path, body] of [
      ['GET', '/api/applications/unknown', undefined],
      ['POST', '/api/applications', '{'],
      ['PATCH', '/api/applications', undefined],
    ] as const) {
      const response = await sendBody(method, path, body, headers)
      assert.equal((await problemOf(assert, response)).requestId, 'order-66')
    }
  })
})
