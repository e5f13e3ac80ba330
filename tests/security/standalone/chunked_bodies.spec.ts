import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { transaction } from '#core/database/transaction'
import { storeSigningKey } from '#app/identity_provider/signatures/store_signing_key'
import { eventually } from '#tests/helpers/eventually'
import { metricOf } from '#tests/helpers/metrics'
import { uniqueEmail } from '#tests/helpers/people'
import { HOOK_PATH, withSigningKey } from '#tests/helpers/provider_hook'
import { rawRequest, statusesIn } from '#tests/helpers/raw_requests'
import { sameDatabase } from '#tests/helpers/same_database'
import { HOOK_KEY, signatureOf } from '#tests/helpers/signature'
import { freePort } from '#tests/world/free_port'
import { INTERNAL_KEY, issuer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import { RawConnection, lastResponse } from '#tests/world/raw_connection'
import type { RunningService } from '#tests/world/service'

const MEBIBYTE = 1_048_576
const CHUNKED = { 'transfer-encoding': 'chunked' }
const TINY = '1\r\n \r\n'
/** One read of a socket returns at most this many bytes. */
const MANY = TINY.repeat(10_000)

function inChunks(text: string, size: number) {
  const chunks = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
  return (
    chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('') + '0\r\n\r\n'
  )
}

test.group('Chunked bodies', (group) => {
  let service: RunningService
  let internalUrl: string

  withSigningKey(group)
  group.setup(async () => {
    await transaction((trx) => storeSigningKey(HOOK_KEY, trx))
    const port = await freePort()
    internalUrl = `http://127.0.0.1:${port}`
    service = await startProductionService({
      ...sameDatabase(),
      INTERNAL_PORT: String(port),
      RATE_LIMIT_FAILED_AUTH: '0',
      LOG_LEVEL: 'error',
    })
    return async () => void (await service.stop())
  })

  const person = async () => ({ authorization: `Bearer ${await issuer.token(uniqueEmail())}` })

  /** Sends the results of `next` until the connection closes or `most` bytes are sent. */
  async function sendUntilClosed(connection: RawConnection, piece: string, most: number) {
    let sent = 0
    while (connection.isOpen && sent < most) {
      await connection.drained(piece)
      sent += piece.length
    }
    return sent
  }

  async function assertIsServed(assert: Assert) {
    const response = await fetch(`${service.url}/api/health/live`)
    await response.arrayBuffer()
    assert.equal(response.status, 200)
  }

  const served: Record<string, [method: string, path: string, status: number]> = {
    'nobody handles': ['GET', '/nope', 404],
    'lacks a token': ['PUT', '/api/profile/me', 401],
    'takes no body': ['GET', '/api/health/live', 200],
    'asks for the options': ['OPTIONS', '/api/profile/me', 204],
    'has a wrong method': ['PATCH', '/api/profile/me', 405],
  }

  test('an endless body in small chunks closes the connection of a request that {$self}')
    .with(Object.keys(served))
    .run(async ({ assert }, name) => {
      const [method, path, status] = served[name]
      const connection = await RawConnection.to(service.url)
      connection.write(rawRequest(method, path, CHUNKED))
      await eventually('it gets a response', () => connection.received.includes('HTTP/1.1'))
      assert.deepEqual(statusesIn(connection.received), [status])
      const sent = await sendUntilClosed(connection, MANY, 20 * MEBIBYTE)
      assert.isFalse(connection.isOpen)
      assert.isBelow(sent, 16 * MEBIBYTE)
      assert.deepEqual(statusesIn(connection.received), [status])
    })

  test('a body of 1 GB closes the connection if it is not read', async ({ assert }) => {
    const connection = await RawConnection.to(service.url)
    connection.write(rawRequest('GET', '/nope', { 'content-length': '1000000000' }))
    const sent = await sendUntilClosed(connection, 'x'.repeat(65_536), 200 * MEBIBYTE)
    assert.isFalse(connection.isOpen)
    assert.isBelow(sent, 50 * MEBIBYTE)
  })

  test('a client that is still sending can read the response and keep its connection', async ({
    assert,
  }) => {
    const connection = await RawConnection.to(service.url)
    const body = JSON.stringify({ firstName: 'x'.repeat(900_000) })
    connection.write(rawRequest('PUT', '/api/profile/me', {}, body))
    connection.write(rawRequest('PUT', '/api/profile/me', CHUNKED) + inChunks('{"a":1}', 1))
    connection.write(rawRequest('GET', '/api/health/live'))
    await eventually('all get responses', () => statusesIn(connection.received).length === 3)
    assert.deepEqual(statusesIn(connection.received), [401, 401, 200])
    assert.isTrue(connection.isOpen)
    connection.destroy()
  })

  test('a body in too many chunks is 413 and closes the connection', async ({ assert }) => {
    const connection = await RawConnection.to(service.url)
    connection.write(rawRequest('PUT', '/api/profile/me', { ...CHUNKED, ...(await person()) }))
    await sendUntilClosed(connection, TINY.repeat(500), MEBIBYTE)
    const { status, headers, body } = lastResponse(await connection.closed())
    assert.equal(status, 413)
    assert.equal(headers.connection, 'close')
    assert.equal((JSON.parse(body) as { code: string }).code, 'PAYLOAD_TOO_LARGE')
  })

  test('a body that is not read yet is 413 as well', async ({ assert }) => {
    const connection = await RawConnection.to(service.url)
    const request = rawRequest('PUT', '/api/profile/me', { ...CHUNKED, ...(await person()) })
    connection.write(request + TINY.repeat(5_000))
    const { status, body } = lastResponse(await connection.closed())
    assert.equal(status, 413)
    assert.equal((JSON.parse(body) as { code: string }).code, 'PAYLOAD_TOO_LARGE')
  })

  test('a body in chunks of {$self} bytes is read to the byte')
    .with([1, 7, 64, 1_000, 16_384])
    .run(async ({ assert }, size) => {
      const data = Array.from({ length: size * 15 }, (_, i) => String.fromCharCode(97 + (i % 26)))
      const text = JSON.stringify({ text: data.join('') })
      const connection = await RawConnection.to(service.url)
      const headers = { ...CHUNKED, 'zitadel-signature': signatureOf(text), 'connection': 'close' }
      connection.write(rawRequest('POST', HOOK_PATH, headers))
      for (const part of inChunks(text, size).match(/.{1,40000}/gs)!) await connection.drained(part)
      const { body } = lastResponse(await connection.closed())
      // The signature is valid, so the content causes the refusal.
      assert.equal((JSON.parse(body) as { code: string }).code, 'VALIDATION_ERROR')
    })

  test('a million chunks on each of 16 connections take no memory', async ({ assert }) => {
    const memory = () => metricOf(internalUrl, 'process_resident_memory_bytes')
    const before = await memory()
    const connections = await Promise.all(
      Array.from({ length: 16 }, () => RawConnection.to(service.url))
    )
    const headers = { ...CHUNKED, 'zitadel-signature': signatureOf('') }
    await Promise.all(
      connections.map(async (connection) => {
        connection.write(rawRequest('POST', HOOK_PATH, headers))
        await sendUntilClosed(connection, MANY, 6_000_000)
      })
    )
    assert.isTrue(connections.every(({ isOpen }) => !isOpen))
    assert.isBelow((await memory()) - before, 200 * MEBIBYTE)
    await assertIsServed(assert)
  })

  test('400 connections from one address with endless bodies are all closed, and others are served', async ({
    assert,
  }) => {
    const connections = await Promise.all(
      Array.from({ length: 400 }, () => RawConnection.to(service.url))
    )
    const sending = connections.map((connection) => {
      connection.write(rawRequest('GET', '/nope', CHUNKED))
      return sendUntilClosed(connection, MANY, 10 * MEBIBYTE)
    })
    await assertIsServed(assert)
    await Promise.all(sending)
    assert.isTrue(connections.every(({ isOpen }) => !isOpen))
  })

  test('a check in several chunks gets the same response as one in a single chunk', async ({
    assert,
  }) => {
    const text = JSON.stringify({ email: uniqueEmail(), app: 'shop', permission: 'read' })
    const connection = await RawConnection.to(internalUrl)
    const headers = { ...CHUNKED, 'x-internal-api-key': INTERNAL_KEY, 'connection': 'close' }
    connection.write(rawRequest('POST', '/api/check', headers) + inChunks(text, 1))
    assert.deepEqual(statusesIn(await connection.closed()), [200])
  })
})
