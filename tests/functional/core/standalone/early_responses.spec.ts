import { test } from '@japa/runner'
import { placeUsage } from '#core/http/place'
import { eventually } from '#tests/helpers/eventually'
import { uniqueEmail } from '#tests/helpers/people'
import { rawRequest, statusesIn } from '#tests/helpers/raw_requests'
import { serviceUrl } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'
import { RawConnection, lastResponse } from '#tests/world/raw_connection'

const KIBIBYTE = 1_024
const PIECE = 'x'.repeat(32 * KIBIBYTE)
const PIECES = 20
const IN_CHUNK = `8000\r\n${PIECE}\r\n`
const CHUNKED = { 'transfer-encoding': 'chunked' }
const CLOSE = { connection: 'close' }
const length = (pieces: number) => ({ 'content-length': String(pieces * PIECE.length) })

const bearer = async () => ({ authorization: `Bearer ${await issuer.token(uniqueEmail())}` })

interface Refusal {
  path?: string
  headers: () => Promise<Record<string, string>>
  piece: string
  end: string
  status: number
}

const REFUSED: Record<string, Refusal> = {
  'is too large': {
    headers: async () => ({ ...length(PIECES), ...(await bearer()) }),
    piece: PIECE,
    end: '',
    status: 413,
  },
  'becomes too large': {
    headers: async () => ({ ...CHUNKED, ...(await bearer()) }),
    piece: IN_CHUNK,
    end: '0\r\n\r\n',
    status: 413,
  },
  'has another type': {
    headers: async () => ({
      ...length(PIECES),
      ...CLOSE,
      ...(await bearer()),
      'content-type': 'a/b',
    }),
    piece: PIECE,
    end: '',
    status: 415,
  },
  'comes without a token': {
    headers: async () => ({ ...length(PIECES), ...CLOSE }),
    piece: PIECE,
    end: '',
    status: 401,
  },
  'has no route': {
    path: '/nope',
    headers: async () => ({ ...CHUNKED, ...CLOSE }),
    piece: IN_CHUNK,
    end: '0\r\n\r\n',
    status: 404,
  },
}

const arriving = () => placeUsage().reduce((sum, usage) => sum + usage.arriving + usage.inFlight, 0)

/** Takes as long as the service needs to handle what was written before. */
async function otherRequest() {
  const response = await fetch(`${serviceUrl()}/api/health/live`)
  await response.arrayBuffer()
}

/** Refused, and its response has been sent, but not its body. */
async function refusedConnection() {
  const connection = (await RawConnection.to(serviceUrl())).keepOpen()
  connection.write(rawRequest('PUT', '/api/profile/me', { ...length(PIECES), ...CLOSE }) + PIECE)
  await eventually('a response', () => connection.received.includes('requestId'))
  return connection
}

test.group('A response before the end of the request', () => {
  test('reaches a client that reads it only after it has sent a body that {$self}')
    .with(Object.keys(REFUSED))
    .run(async ({ assert }, name) => {
      const { path = '/api/profile/me', headers, piece, end, status } = REFUSED[name]
      const connection = await RawConnection.unreadTo(serviceUrl())
      connection.write(rawRequest('PUT', path, await headers()))
      for (let sent = 0; sent < PIECES; sent++) {
        await connection.drained(piece)
        await otherRequest()
      }
      await connection.drained(end)
      const response = lastResponse(await connection.readOn().closed())
      assert.equal(response.status, status)
      assert.equal(response.headers.connection, 'close')
      assert.lengthOf(response.body, Number(response.headers['content-length']))
    })

  test('ends the connection for writing at once, and soon completely', async ({ assert }) => {
    const connection = await refusedConnection()
    const startedAt = performance.now()
    await eventually('its end', () => connection.isEnded)
    connection.write(PIECE)
    await otherRequest()
    assert.isTrue(connection.write(PIECE).isOpen)
    await eventually('it is closed', () => !connection.write('x').isOpen)
    // REQUEST_TIMEOUT is 15 seconds.
    assert.isBelow(performance.now() - startedAt, 8_000)
  })

  test('holds no place while the rest arrives', async ({ assert }) => {
    const connection = await refusedConnection()
    await eventually('free places', () => arriving() === 0)
    connection.write(PIECE)
    await otherRequest()
    assert.isTrue(connection.write(PIECE).isOpen)
    connection.destroy()
  })

  test('is the last one, also if further requests follow the body', async ({ assert }) => {
    const connection = await refusedConnection()
    for (let sent = 1; sent < PIECES - 1; sent++) await connection.drained(PIECE)
    await otherRequest()
    assert.isTrue(connection.isOpen)
    connection.write(PIECE + rawRequest('GET', '/api/health/live'))
    await eventually('it is closed', () => !connection.write('x').isOpen)
    assert.deepEqual(statusesIn(connection.received), [401])
  })

  test('closes the connection if the rest does not end', async ({ assert }) => {
    const connection = (await RawConnection.to(serviceUrl())).keepOpen()
    connection.write(rawRequest('PUT', '/api/profile/me', { ...CHUNKED, ...CLOSE }))
    let sent = 0
    while (connection.isOpen && sent < 4_000) {
      await connection.drained(IN_CHUNK)
      sent++
    }
    assert.isFalse(connection.isOpen)
    assert.isBelow(sent, 1_000)
  })
})
