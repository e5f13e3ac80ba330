import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import { eventually } from '#tests/helpers/eventually'
import { serviceUrl } from '#tests/helpers/send'
import { RawConnection, lastResponse } from '#tests/world/raw_connection'

async function responseTo(text: string) {
  const connection = await RawConnection.to(serviceUrl())
  return lastResponse(await connection.write(text).closed())
}

function assertLastWords(
  assert: Assert,
  response: ReturnType<typeof lastResponse>,
  status: number,
  code: string
) {
  assert.equal(response.status, status)
  assert.equal(response.headers['content-type'], 'application/problem+json')
  assert.equal(response.headers['connection'], 'close')
  const problem = JSON.parse(response.body)
  assert.containSubset(problem, { status, code, details: {}, type: `/docs/errors/${code}` })
  assert.equal(problem.requestId, response.headers['x-request-id'])
}

const LIVE = 'GET /api/health/live HTTP/1.1\r\n'

test.group('Invalid HTTP', () => {
  const unreadable: Record<string, [text: string, status: number, code: string]> = {
    'a line that means nothing': ['hello there\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    'a TLS greeting': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'MALFORMED_REQUEST'],
    'a header without a name': [`${LIVE}Host: a\r\n: b\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    'two different lengths': [
      `${LIVE}Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      ...([400, 'MALFORMED_REQUEST'] as const),
    ],
    'a length and chunks': [
      `${LIVE}Host: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...([400, 'MALFORMED_REQUEST'] as const),
    ],
    'no Host': [`${LIVE}\r\n`, 400, 'MALFORMED_REQUEST'],
    'two Hosts': [`${LIVE}Host: a\r\nHOST: b\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    'headers without end': [
      `${LIVE}Host: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      ...([431, 'HEADERS_TOO_LARGE'] as const),
    ],
    'an expectation nobody knows': [
      `${LIVE}Host: a\r\nExpect: miracles\r\n\r\n`,
      ...([417, 'EXPECTATION_FAILED'] as const),
    ],
  }

  test('{$self} results in a problem and a closed connection')
    .with(Object.keys(unreadable))
    .run(async ({ assert }, name) => {
      const [text, status, code] = unreadable[name]
      assertLastWords(assert, await responseTo(text), status, code)
    })

  test('after a valid request does not replace its response', async ({ assert }) => {
    const ready = 'GET /api/health/ready HTTP/1.1\r\nHost: a\r\n\r\n'
    const connection = await RawConnection.to(serviceUrl())
    const text = await connection.write(`${ready}nonsense\r\n\r\n`).closed()
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    assert.notInclude(statuses.slice(0, 1), '400')
  })

  const chunked = 'Host: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  const answeredEarly: Record<string, string> = {
    'a probe': `${LIVE}${chunked}`,
    'an unknown route': `POST /api/nothing HTTP/1.1\r\n${chunked}`,
    'a request without credentials': `POST /api/applications HTTP/1.1\r\n${chunked}`,
  }
  const invalidRests = {
    'a chunk without a length': '2\r\n{}\r\nzz\r\n',
    'a length among the trailers': '2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n',
    'a trailer without a name': '2\r\n{}\r\n0\r\n: b\r\n\r\n',
  }

  test('{$self}, answered before its body is invalid, gets no second response')
    .with(Object.keys(answeredEarly))
    .run(async ({ assert }, name) => {
      for (const [title, rest] of Object.entries(invalidRests)) {
        const connection = await RawConnection.to(serviceUrl())
        connection.write(answeredEarly[name])
        await eventually('the response is there', () => connection.received.includes('HTTP/1.1'))
        const text = await connection.write(rest).closed()
        assert.lengthOf([...text.matchAll(/HTTP\/1\.1 /g)], 1, title)
      }
    })

  test('does not affect the service', async ({ assert }) => {
    await Promise.all(Object.values(unreadable).map(([text]) => responseTo(text)))
    const response = await fetch(`${serviceUrl()}/api/health/live`)
    assert.equal(response.status, 200)
  })
})
