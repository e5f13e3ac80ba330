import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import { credentials, problemOf, sendBody, sendRaw } from '#tests/helpers/send'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Paths that pages of other origins may call, with OPTIONS preflights. */
const OPEN_TO_BROWSERS = /^\/api\/(?:profile\/me(?:\/|$)|idp\/(?:health|discovery)$|openapi\.json$)/

function methodsByPattern() {
  const known = new Map<string, Set<string>>()
  for (const { pattern, methods } of Object.values(router.toJSON()).flat()) {
    known.set(pattern, new Set([...(known.get(pattern) ?? []), ...methods]))
  }
  return known
}

const numbered = (pattern: string) =>
  pattern.replace(/:(\w+)/g, (_, name) => (name === 'email' ? 'ada@acme.example' : '1'))

/** A parameter in a route can match a word in another path. */
const isShadowed = (pattern: string, known: Iterable<string>) =>
  [...known].some(
    (other) =>
      other !== pattern &&
      new RegExp(`^${other.replace(/:\w+/g, '[^/]+').replace('*', '.+')}$`).test(numbered(pattern))
  )

test.group('Methods', () => {
  test('an unsupported method is 405 and lists the supported ones', async ({ assert }) => {
    const known = methodsByPattern()
    const headers = await credentials('token')
    for (const [pattern, served] of known) {
      if (isShadowed(pattern, known.keys())) continue
      for (const method of METHODS.filter((candidate) => !served.has(candidate))) {
        const what = `${method} ${pattern}`
        const options = OPEN_TO_BROWSERS.test(pattern) ? ['OPTIONS'] : []
        const response = await sendBody(method, numbered(pattern), undefined, headers)
        assert.equal(response.status, options.includes(method) ? 204 : 405, what)
        assert.sameMembers(
          response.headers.get('allow')!.split(', '),
          [...served, ...options],
          what
        )
        if (method === 'HEAD' || response.status === 204) continue
        assert.equal((await problemOf(assert, response, what)).code, 'METHOD_NOT_ALLOWED', what)
      }
    }
  })

  test('an unknown path is 404 for every method', async ({ assert }) => {
    for (const method of METHODS) {
      const response = await sendBody(method, '/api/nowhere', undefined)
      assert.equal(response.status, 404, method)
      assert.isNull(response.headers.get('allow'))
      if (method !== 'HEAD') assert.equal((await problemOf(assert, response)).code, 'NOT_FOUND')
    }
  })

  test('HEAD returns the headers of GET, without the body', async ({ assert }) => {
    const headers = await credentials('token')
    for (const path of ['/api/health/live', '/api/applications', '/api/applications/unknown']) {
      const got = await sendBody('GET', path, undefined, headers)
      const head = await sendBody('HEAD', path, undefined, headers)
      assert.equal(head.status, got.status, path)
      assert.equal(head.headers.get('content-type'), got.headers.get('content-type'), path)
      assert.equal(await head.text(), '')
    }
  })

  test('a refused HEAD has no body either', async ({ assert }) => {
    const response = await sendRaw(
      'HEAD /api/profile/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    )
    assert.match(response, /^HTTP\/1\.1 401 /)
    assert.match(response, /\r\n\r\n$/)
    assert.match(response, /www-authenticate: Bearer/i)
  })
})
