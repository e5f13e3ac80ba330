import { test } from '@japa/runner'
import { aDecisionPoint, answerOf, ask, decisionPoint } from '#tests/helpers/authzen'
import { serviceUrl } from '#tests/helpers/send'

const TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  '',
  'application/ld+json',
  'application/json; charset=latin1',
  'application/jsonp',
]

test.group('AuthZEN transport', () => {
  test('a body that is not application/json is 400: {$self}')
    .with(TYPES)
    .run(async ({ assert, client }, type) => {
      const { code, request } = await aDecisionPoint(client)
      for (const endpoint of ['evaluation', 'evaluations']) {
        const answer = await ask(code, endpoint, request, { 'content-type': type })
        assert.equal(answer.status, 400)
        assert.match(answer.text, /^UNSUPPORTED_MEDIA_TYPE: /)
      }
    })

  test('application/json may name its charset', async ({ assert, client }) => {
    const { code, request } = await aDecisionPoint(client)
    const headers = { 'content-type': 'Application/JSON; charset=UTF-8' }
    assert.isTrue((await ask(code, 'evaluation', request, headers)).json.decision)
  })

  test('an error is a message in plain text, not problem details', async ({ assert, client }) => {
    const { code } = await aDecisionPoint(client)
    const headers = { 'X-Request-ID': 'the-id' }
    const answer = await ask(code, 'evaluation', {}, headers)
    assert.equal(answer.status, 400)
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('x-request-id'), 'the-id')
    assert.equal(answer.text, 'VALIDATION_ERROR: subject is required')
  })

  test('a request without a body is 400', async ({ assert, client }) => {
    const { code } = await aDecisionPoint(client)
    const types: Record<string, string>[] = [{}, { 'content-type': 'application/json' }]
    for (const headers of types) {
      const url = `${decisionPoint(code)}/access/v1/evaluation`
      const answer = await answerOf(await fetch(url, { method: 'POST', headers }))
      assert.equal(answer.status, 400)
    }
  })

  test('any request id is returned as it was sent: {$self}')
    .with(['a b c', 'x'.repeat(2_000), 'cgk_secret', '<script>', '{"id":1}', '%0d%0aset-cookie'])
    .run(async ({ assert, client }, id) => {
      const { code, request } = await aDecisionPoint(client)
      for (const [body, status] of [
        [request, 200],
        [{}, 400],
      ] as const) {
        const answer = await ask(code, 'evaluation', body, { 'x-request-id': id })
        assert.equal(answer.status, status)
        assert.equal(answer.headers.get('x-request-id'), id)
        assert.isNull(answer.headers.get('set-cookie'))
      }
    })

  test('other methods and unknown endpoints do not exist', async ({ assert, client }) => {
    const { code } = await aDecisionPoint(client)
    const url = `${decisionPoint(code)}/access/v1/evaluation`
    assert.equal((await fetch(url)).status, 405)
    assert.equal((await ask(code, 'evaluate', {})).status, 404)
    const base = `${serviceUrl()}/.well-known/authzen-configuration`
    for (const path of ['', '/', `/${code}`, `/api/authzen/${code}/access`]) {
      assert.equal((await fetch(base + path)).status, 404, path)
    }
  })

  test('pages of other origins cannot call it', async ({ assert, client }) => {
    const { code, request } = await aDecisionPoint(client)
    const headers = { origin: 'http://localhost:5173' }
    const answer = await ask(code, 'evaluation', request, headers)
    assert.isNull(answer.headers.get('access-control-allow-origin'))
  })
})
