import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from '@japa/runner'
import { OUTBOUND_MAX_BYTES, outbound } from '#core/network/outbound'
import { OutboundError, type OutboundReason } from '#core/network/outbound_error'
import { UnusableResponse, outboundJson } from '#core/network/outbound_json'
import type { UrlAuthor } from '#core/network/address_policy'
import { freePort } from '#tests/world/free_port'
import { type Handler, TestHttpServer, sendJson } from '#tests/world/http_server'

async function reasonOf(request: Promise<unknown>): Promise<OutboundReason | string> {
  return request.then(
    () => 'a response',
    (error: unknown) => (error instanceof OutboundError ? error.reason : String(error))
  )
}

test.group('An outgoing request', (group) => {
  let world: TestHttpServer

  group.setup(async () => {
    world = await new TestHttpServer(() => {}).start()
    return () => world.stop()
  })

  group.each.setup(() => {
    world.requests.length = 0
    respondWith((_, response) => response.end('hello'))
  })

  const respondWith = (handler: Handler) => {
    world.handler = handler
  }
  const get = (path = '/', timeoutMs?: number) =>
    outbound(world.url + path, { author: 'operator', timeoutMs })

  test('returns status, headers and body', async ({ assert }) => {
    respondWith((_, response) => response.writeHead(201, { 'x-response': 'yes' }).end('made'))
    const response = await outbound(`${world.url}/things?a=1`, {
      author: 'operator',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-question': 'what' },
      body: '{"a":1}',
    })
    assert.equal(response.status, 201)
    assert.equal(response.headers['x-response'], 'yes')
    assert.equal(response.body.toString(), 'made')
    const [request] = world.requests
    assert.containSubset(request, { method: 'POST', url: '/things?a=1', body: '{"a":1}' })
    assert.equal(request.headers['x-question'], 'what')
  })

  test('does not follow a redirect', async ({ assert }) => {
    respondWith((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
    const { status } = await get()
    assert.equal(status, 302)
    assert.deepEqual(
      world.requests.map(({ url }) => url),
      ['/']
    )
  })

  test('accepts a response of exactly the largest size', async ({ assert }) => {
    respondWith((_, response) => response.end(Buffer.alloc(OUTBOUND_MAX_BYTES)))
    const { body } = await get()
    assert.lengthOf(body, 1_048_576)
  })

  test('fails if the response is one byte larger', async ({ assert }) => {
    respondWith((_, response) => response.end(Buffer.alloc(OUTBOUND_MAX_BYTES + 1)))
    assert.equal(await reasonOf(get()), 'too_large')
  })

  test('counts each response of a kept connection separately', async ({ assert }) => {
    const SIZE = 600_000
    const servedBy = new Map<number, number>()
    respondWith(({ socket }, response) => {
      const port = socket.remotePort!
      servedBy.set(port, (servedBy.get(port) ?? 0) + 1)
      response.end(Buffer.alloc(SIZE))
    })
    for (let n = 0; n < 10; n++) assert.lengthOf((await get()).body, SIZE)
    assert.isAbove(Math.max(...servedBy.values()) * SIZE, 1.5 * OUTBOUND_MAX_BYTES)
  })

  test('returns the status of a response whose body is ignored and too large', async ({
    assert,
  }) => {
    respondWith((_, response) => response.end(Buffer.alloc(10 * OUTBOUND_MAX_BYTES)))
    const { status } = await outbound(world.url, { author: 'operator', ignoreBody: true })
    assert.equal(status, 200)
  })

  test('fails if the response never ends', async ({ assert }) => {
    const chunk = Buffer.alloc(65_536)
    let closed = false
    respondWith((_, response) => {
      response.once('close', () => {
        closed = true
      })
      const pour = () => {
        while (!closed && response.write(chunk));
        if (!closed) response.once('drain', pour)
      }
      pour()
    })
    assert.equal(await reasonOf(get()), 'too_large')
  })

  test('fails if the server never responds', async ({ assert }) => {
    respondWith(() => {})
    assert.equal(await reasonOf(get('/', 150)), 'timeout')
  })

  test('fails if the response arrives too slowly', async ({ assert, cleanup }) => {
    respondWith((_, response) => {
      const dripping = setInterval(() => response.write('.'), 10)
      cleanup(() => clearInterval(dripping))
      response.once('close', () => clearInterval(dripping))
    })
    assert.equal(await reasonOf(get('/', 200)), 'timeout')
  })

  test('times out after five seconds by default', async ({ assert }) => {
    respondWith(() => {})
    const begin = performance.now()
    assert.equal(await reasonOf(get()), 'timeout')
    assert.approximately(performance.now() - begin, 7_000, 2_100)
  })

  test('does not wait for others to a server that never finishes its TLS handshake', async ({
    assert,
    cleanup,
  }) => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    cleanup(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const requests = Array.from({ length: 8 }, () =>
      outbound(`https://127.0.0.1:${port}`, { author: 'operator', timeoutMs: 500 })
    )
    const reasons = await Promise.all(requests.map(reasonOf))
    assert.deepEqual(reasons, Array<string>(8).fill('timeout'))
  })

  test('fails with connect if nothing listens', async ({ assert }) => {
    const url = `http://127.0.0.1:${await freePort()}`
    assert.equal(await reasonOf(outbound(url, { author: 'operator' })), 'connect')
  })

  test('fails with connect if the response is cut off', async ({ assert }) => {
    respondWith((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half')
      response.destroy()
    })
    assert.equal(await reasonOf(get()), 'connect')
  })

  test('fails with connect if the server does not support TLS', async ({ assert }) => {
    const url = world.url.replace('http:', 'https:')
    assert.equal(await reasonOf(outbound(url, { author: 'operator' })), 'connect')
  })

  test('cannot be sent to {$self}')
    .with(['', 'not a url', 'ftp://127.0.0.1/', 'file:///etc/passwd', 'data:text/plain,hello'])
    .run(async ({ assert }, url) => {
      assert.equal(await reasonOf(outbound(url, { author: 'operator' })), 'connect')
    })
})

test.group('The address of an outgoing request', (group) => {
  let port: number
  let connections: number

  group.each.setup(async () => {
    connections = 0
    const server = createServer((socket) => {
      connections++
      socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    return () => void server.close()
  })

  const reaching = (host: string, author: UrlAuthor, protocol = 'http') =>
    reasonOf(outbound(`${protocol}://${host}:${port}/`, { author, timeoutMs: 2_000 }))

  test('can be on this machine if the operator chose it: {$self}')
    .with(['127.0.0.1', 'localhost', '2130706433', '0x7f.1'])
    .run(async ({ assert }, host) => {
      assert.equal(await reaching(host, 'operator'), 'a response')
    })

  test('cannot be on this machine if a stranger chose it: {$self}')
    .with([
      '127.0.0.1',
      'localhost',
      'LOCALHOST',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '127.0.0.1.',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::1]',
      '[::127.0.0.1]',
    ])
    .run(async ({ assert }, host) => {
      assert.equal(await reaching(host, 'untrusted'), 'address')
      assert.equal(await reaching(host, 'untrusted', 'https'), 'address')
      assert.equal(connections, 0, 'no connection may be opened')
    })

  test('is never that of a metadata service: {$self}')
    .with([
      '169.254.169.254',
      '2852039166',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '169.254.43518',
      '169.254.169.254.',
      '①⑥⑨.②⑤④.①⑥⑨.②⑤④',
      '[::ffff:169.254.169.254]',
      '[::169.254.169.254]',
      '[64:ff9b::a9fe:a9fe]',
      '[fd00:ec2::254]',
      '[fe80::1]',
      '0.0.0.0',
      '0',
      '[::]',
    ])
    .run(async ({ assert }, host) => {
      assert.equal(await reaching(host, 'operator'), 'address')
      assert.equal(await reaching(host, 'untrusted'), 'address')
      assert.equal(connections, 0)
    })
})

test.group('A connection kept open for the operator', () => {
  test('is not reused for URLs of others', async ({ assert, cleanup }) => {
    const world = await new TestHttpServer((_, response) => response.end()).start()
    cleanup(() => world.stop())
    await outbound(world.url, { author: 'operator' })
    assert.equal(await reasonOf(outbound(world.url, { author: 'untrusted' })), 'address')
    assert.lengthOf(world.requests, 1)
  })
})

test.group('An outgoing request for JSON', (group) => {
  let world: TestHttpServer

  group.setup(async () => {
    world = await new TestHttpServer(() => {}).start()
    return () => world.stop()
  })

  const get = () => outboundJson(world.url, { author: 'operator' })
  const respondWithText = (text: string, status = 200) => {
    world.handler = (_, response) => response.writeHead(status).end(text)
  }

  test('requests JSON and parses it', async ({ assert }) => {
    world.handler = (_, response) => sendJson(response, { a: [1] })
    assert.deepEqual(await get(), { a: [1] })
    assert.equal(world.requests.at(-1)!.headers.accept, 'application/json')
  })

  test('returns null for an empty response', async ({ assert }) => {
    respondWithText('', 204)
    assert.isNull(await get())
  })

  test('rejects text that is not JSON')
    .with(['<html></html>', '{', 'undefined', ' '])
    .run(async ({ assert }, text) => {
      respondWithText(text)
      const error = await get().catch((reason: unknown) => reason)
      assert.instanceOf(error, UnusableResponse)
      assert.containSubset(error, { reason: 'not_json', status: 200 })
    })

  test('rejects status {$self} with the parsed body')
    .with([300, 302, 400, 401, 404, 500, 503])
    .run(async ({ assert }, status) => {
      respondWithText('{"why":"because"}', status)
      const error = await get().catch((reason: unknown) => reason)
      assert.instanceOf(error, UnusableResponse)
      assert.containSubset(error, { reason: 'status', status, body: { why: 'because' } })
    })
})
