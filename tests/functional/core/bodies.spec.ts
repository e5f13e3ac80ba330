import { test } from '@japa/runner'
import { uniqueEmail, anApplication } from '#tests/helpers/people'
import { credentials, problemOf, sendBody, sendRaw } from '#tests/helpers/send'

const PATH = '/api/internal/auth/application-events'
const LIMIT = 1_048_576

const event = async (fields: object = {}) => ({
  email: uniqueEmail(),
  appCode: (await anApplication()).code,
  event: 'login',
  ...fields,
})

/** A body of this size that is valid but for its length. */
function padded(body: object, bytes: number) {
  const text = JSON.stringify(body)
  return text + ' '.repeat(bytes - text.length)
}

function inChunks(text: string, size = 16_384) {
  let position = 0
  return new ReadableStream({
    pull(controller) {
      if (position >= text.length) return controller.close()
      controller.enqueue(new TextEncoder().encode(text.slice(position, (position += size))))
    },
  })
}

test.group('Bodies', () => {
  test('a body of exactly 1 MiB is read, with and without its length', async ({ assert }) => {
    const headers = await credentials('internal')
    for (const wrap of [(text: string) => text, inChunks]) {
      const body = wrap(padded(await event(), LIMIT))
      assert.equal((await sendBody('POST', PATH, body, headers)).status, 200)
    }
  })

  test('a larger body is 413, and the next request is served', async ({ assert }) => {
    const headers = await credentials('internal')
    for (const wrap of [(text: string) => text, inChunks]) {
      const body = wrap(padded(await event(), LIMIT + 1))
      const refused = await sendBody('POST', PATH, body, headers)
      assert.equal(refused.status, 413)
      const problem = await problemOf(assert, refused)
      assert.equal(problem.code, 'PAYLOAD_TOO_LARGE')
      assert.equal(problem.details.limit, LIMIT)

      const next = await sendBody('POST', PATH, JSON.stringify(await event()), headers)
      assert.equal(next.status, 200)
    }
  })

  test('a stream that does not end is cut off', async ({ assert }) => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    })
    const refused = await sendBody('POST', PATH, endless, await credentials('internal'))
    assert.equal(refused.status, 413)
    assert.equal((await problemOf(assert, refused)).code, 'PAYLOAD_TOO_LARGE')
  })

  test('a Content-Length that is too large is refused before the body is read', async ({
    assert,
  }) => {
    const { 'x-internal-api-key': key } = await credentials('internal')
    const response = await sendRaw(
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\nx-internal-api-key: ${key}\r\n` +
        'content-type: application/json\r\ncontent-length: 99999999999\r\n\r\n{}'
    )
    assert.match(response, /^HTTP\/1\.1 413 /)
    assert.include(response, 'PAYLOAD_TOO_LARGE')
  })

  test('credentials are checked before the body', async ({ assert }) => {
    for (const [method, path] of [
      ['PUT', '/api/profile/me'],
      ['POST', PATH],
      ['POST', '/api/idp/webhook'],
      ['POST', '/api/applications'],
    ]) {
      const response = await sendBody(method, path, '{"a":', {})
      assert.equal(response.status, 401)
      assert.equal((await problemOf(assert, response)).code, 'UNAUTHENTICATED')
    }
  })

  test('all spellings of the JSON type with UTF-8 are accepted', async ({ assert }) => {
    const headers = await credentials('internal')
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/json; charset="utf-8"',
      'Application/JSON',
      'application/vnd.acme+json',
    ]) {
      const body = JSON.stringify(await event())
      const response = await sendBody('POST', PATH, body, { ...headers, 'content-type': type })
      assert.equal(response.status, 200, type)
    }
  })

  test('a body without a JSON content type is 415', async ({ assert }) => {
    const { 'x-internal-api-key': key } = await credentials('internal')
    const untyped = await sendRaw(
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\nx-internal-api-key: ${key}\r\n` +
        'connection: close\r\ncontent-length: 2\r\n\r\n{}'
    )
    assert.match(untyped, /^HTTP\/1\.1 415 /)
    assert.include(untyped, 'UNSUPPORTED_MEDIA_TYPE')

    for (const type of [
      'application/jsonp',
      'text/json',
      'application/json2',
      'multipart/form-data',
    ]) {
      const headers = { ...(await credentials('internal')), 'content-type': type }
      const response = await sendBody('POST', PATH, JSON.stringify(await event()), headers)
      assert.equal(response.status, 415, type)
      assert.equal((await problemOf(assert, response)).code, 'UNSUPPORTED_MEDIA_TYPE')
    }
  })

  test('a request without a body needs no content type', async ({ assert }) => {
    const { code } = await anApplication()
    const { authorization } = await credentials('token')
    for (const length of ['', 'content-length: 0\r\n', 'content-type: text/plain\r\n']) {
      const response = await sendRaw(
        `POST /api/profile/me/apps/${code}/logout HTTP/1.1\r\nhost: x\r\n` +
          `authorization: ${authorization}\r\nconnection: close\r\n${length}\r\n`
      )
      assert.match(response, /^HTTP\/1\.1 200 /, length)
    }
  })

  test('an empty body is refused with the names of all required fields', async ({ assert }) => {
    for (const body of ['', '{}']) {
      const response = await sendBody('POST', PATH, body, await credentials('internal'))
      assert.equal(response.status, 400)
      const problem = await problemOf(assert, response)
      assert.equal(problem.code, 'VALIDATION_ERROR')
      assert.deepEqual(
        problem.details.errors?.map(({ field, rule }) => [field, rule]),
        [
          ['email', 'required'],
          ['appCode', 'required'],
          ['event', 'required'],
        ]
      )
    }
  })

  test('an array in place of an object is refused', async ({ assert }) => {
    const headers = await credentials('internal')
    for (const body of ['[]', JSON.stringify([await event()])]) {
      const response = await sendBody('POST', PATH, body, headers)
      assert.equal(response.status, 400)
      assert.equal((await problemOf(assert, response)).code, 'VALIDATION_ERROR')
    }
  })

  test('a byte order mark before the JSON is ignored', async ({ assert }) => {
    const body = `\ufeff${JSON.stringify(await event())}`
    const response = await sendBody('POST', PATH, body, await credentials('internal'))
    assert.equal(response.status, 200)
  })

  test('32 levels in an ignored field are accepted', async ({ assert }) => {
    const deep = JSON.parse('[' + '['.repeat(30) + ']'.repeat(30) + ']')
    const body = JSON.stringify(await event({ ignored: deep }))
    const response = await sendBody('POST', PATH, body, await credentials('internal'))
    assert.equal(response.status, 200)
  })

  test('unknown fields are ignored, including __proto__', async ({ assert }) => {
    const text = JSON.stringify(await event({ unknown: { a: [1, null] }, id: 5 }))
    const hostile = `${text.slice(0, -1)},"__proto__":{"event":"logout"},"constructor":5}`
    const response = await sendBody('POST', PATH, hostile, await credentials('internal'))
    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), { success: true, data: { recorded: true } })
  })

  test('a query string does not replace the body', async ({ assert }) => {
    const query = new URLSearchParams((await event()) as Record<string, string>)
    const response = await sendBody('POST', `${PATH}?${query}`, '{}', await credentials('internal'))
    assert.equal(response.status, 400)
  })

  test('a query string never overrides the body', async ({ assert }) => {
    const body = await event({ event: 'activity' })
    const headers = await credentials('internal')
    await sendBody('POST', PATH, JSON.stringify(body), headers)
    const again = await sendBody('POST', `${PATH}?event=login`, JSON.stringify(body), headers)
    assert.deepEqual(await again.json(), { success: true, data: { recorded: false } })
  })
})
