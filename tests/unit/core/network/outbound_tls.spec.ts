import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, type Server, connect, createServer } from 'node:net'
import tls from 'node:tls'
import { test } from '@japa/runner'
import { MeteredSocket } from '#core/network/metered_socket'
import { outbound } from '#core/network/outbound'
import { OutboundError } from '#core/network/outbound_error'
import { type Certificate, selfSignedCertificate } from '#tests/world/certificate'

type Cleanup = (callback: () => void) => void

function trust({ cert }: Certificate, cleanup: Cleanup) {
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, cert])
  cleanup(() => tls.setDefaultCACertificates(trusted))
}

async function urlOf(server: Server, cleanup: Cleanup) {
  await once(server.listen(0, '0.0.0.0'), 'listening')
  cleanup(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const post = (url: string, body = Buffer.from('hello'), timeoutMs = 2_000) =>
  outbound(url, { author: 'operator', method: 'POST', body, timeoutMs })

const reasonOf = (request: Promise<unknown>) =>
  request.then(
    () => 'a response',
    (error: unknown) => (error instanceof OutboundError ? error.reason : String(error))
  )

test.group('An outgoing request with TLS', () => {
  test('carries large bodies, several on one connection', async ({ assert, cleanup }) => {
    const certificate = selfSignedCertificate()
    trust(certificate, cleanup)
    let connections = 0
    const server = createHttpsServer(certificate, (request, response) => {
      const received: Buffer[] = []
      request.on('data', (piece: Buffer) => received.push(piece))
      request.on('end', () => response.end(Buffer.concat(received)))
    }).on('connection', () => connections++)
    const url = await urlOf(server, cleanup)
    for (const size of [1, 900_000, 1_048_576, 2, 3]) {
      const sent = Buffer.alloc(size, 'x')
      const { status, body } = await post(url, sent)
      assert.equal(status, 200)
      assert.isTrue(body.equals(sent))
    }
    assert.isBelow(connections, 4)
    server.closeAllConnections()
  })

  test('refuses a server whose certificates are large', async ({ assert, cleanup }) => {
    for (const [names, expected] of [
      [100, 'a response'],
      [400, 'too_large'],
    ] as const) {
      const certificate = selfSignedCertificate({
        names: Array.from({ length: names }, (_, index) => `${index}.${'x'.repeat(40)}.example`),
      })
      trust(certificate, cleanup)
      const server = createHttpsServer(certificate, (_, response) => response.end('hello'))
      const url = await urlOf(server, cleanup)
      assert.equal(await reasonOf(post(url)), expected)
      server.closeAllConnections()
    }
  })

  test('refuses a server whose certificate is for another name or not trusted', async ({
    assert,
    cleanup,
  }) => {
    const certificate = selfSignedCertificate()
    const server = createHttpsServer(certificate, (_, response) => response.end('hello'))
    const url = await urlOf(server, cleanup)
    assert.equal(await reasonOf(post(url)), 'connect')
    trust(certificate, cleanup)
    assert.equal(await reasonOf(post(url)), 'a response')
    assert.equal(await reasonOf(post(url.replace('127.0.0.1', '127.0.0.2'))), 'connect')
    server.closeAllConnections()
  })

  test('agrees on no key exchange that a server can make costly', async ({ assert, cleanup }) => {
    const certificate = selfSignedCertificate({ isRsa: true })
    trust(certificate, cleanup)
    for (const [options, expected] of [
      [{}, 'a response'],
      [{ maxVersion: 'TLSv1.2' }, 'a response'],
      [{ ecdhCurve: 'P-384' }, 'a response'],
      [{ ecdhCurve: 'P-521' }, 'connect'],
      [{ maxVersion: 'TLSv1.2', ciphers: 'DHE', dhparam: 'auto' }, 'connect'],
    ] as [tls.SecureContextOptions, string][]) {
      const server = createHttpsServer({ ...certificate, ...options }, (_, response) =>
        response.end('hello')
      )
      const url = await urlOf(server, cleanup)
      assert.equal(await reasonOf(post(url)), expected, JSON.stringify(options))
      server.closeAllConnections()
    }
  })

  test('never renegotiates', async ({ assert, cleanup }) => {
    const certificate = selfSignedCertificate()
    trust(certificate, cleanup)
    const server = tls.createServer({ ...certificate, maxVersion: 'TLSv1.2' }, (socket) => {
      socket.on('error', () => {}).resume()
      const respond = () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      socket.renegotiate({}, (error) => void (error === null && respond()))
    })
    const url = await urlOf(server, cleanup)
    assert.oneOf(await reasonOf(post(url, undefined, 500)), ['connect', 'timeout'])
  })

  test('leaves no connection to a server that does not finish the handshake', async ({
    assert,
    cleanup,
  }) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const server = createServer((socket) => {
      socket.on('error', () => {}).on('close', () => resolve())
      socket.resume()
    })
    const url = await urlOf(server, cleanup)
    assert.equal(await reasonOf(post(url, undefined, 300)), 'timeout')
    await closed
  })

  test('ends a connection that receives more than it may', async ({ assert, cleanup }) => {
    const server = createServer((socket) => socket.on('error', () => {}).write('12345678'))
    const { port } = new URL(await urlOf(server, cleanup))
    const received = async (maxBytes: number) => {
      const metered = new MeteredSocket(connect(Number(port), '127.0.0.1'), {
        owner: { group: 'x' },
      })
      metered.allow(maxBytes)
      const outcome = await Promise.race([
        once(metered, 'data').then(([piece]) => String(piece)),
        once(metered, 'error').then(([error]) => (error as OutboundError).reason),
      ]).catch((error: OutboundError) => error.reason)
      metered.destroy()
      return outcome
    }
    assert.equal(await received(8), '12345678')
    assert.equal(await received(7), 'too_large')
  })

  test('to a server of the operator waits for no handshakes of others', async ({
    assert,
    cleanup,
  }) => {
    const server = createServer((socket) => socket.on('error', () => {}).write('1'))
    const { port } = new URL(await urlOf(server, cleanup))
    const ended: string[] = []
    const costlyHandshake = async (owner: { group: string } | null) => {
      const metered = new MeteredSocket(connect(Number(port), '127.0.0.1'), { owner })
      metered.once('data', () => {
        const until = performance.now() + 60
        while (performance.now() < until);
        ended.push(owner?.group ?? 'operator')
        metered.destroy()
      })
      await once(metered, 'close')
    }
    await costlyHandshake({ group: 'shop' })
    const waiting = [{ group: 'shop' }, { group: 'shop' }, null, null].map(costlyHandshake)
    await Promise.all(waiting)
    assert.deepEqual(ended, ['shop', 'operator', 'operator', 'shop', 'shop'])
  })
})
