import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { HttpListener } from '#core/http/http_listener'
import { burn } from '#tests/helpers/event_loop'

const HOST = '127.0.0.1'

async function aListener(port = 0) {
  const listener = new HttpListener((_, response) => response.end('served'))
  listener.listen(port, HOST)
  await once(listener, 'listening')
  return { listener, port: (listener.address() as AddressInfo).port }
}

test.group('A listener', () => {
  test('accepts many connections in one turn of the event loop', async ({ assert, cleanup }) => {
    const { listener, port } = await aListener()
    let accepted = 0
    listener.on('connection', () => accepted++)
    const sockets = Array.from({ length: 40 }, () => connect(port, HOST))
    cleanup(() => {
      for (const socket of sockets) socket.destroy()
      listener.close()
    })
    let turns = 0
    while (accepted < sockets.length) {
      burn(2)
      turns++
      await nextTurn()
    }
    assert.isBelow(turns, sockets.length / 2)
  })

  test('serves requests whichever of its sockets accepts them', async ({ assert, cleanup }) => {
    const { listener, port } = await aListener()
    cleanup(() => void listener.close())
    const headers = { connection: 'close' }
    const asking = Array.from({ length: 40 }, async () => {
      const response = await fetch(`http://${HOST}:${port}`, { headers })
      return response.text()
    })
    assert.deepEqual(new Set(await Promise.all(asking)), new Set(['served']))
  })

  test('is closed when all requests are served', async ({ assert }) => {
    const { listener, port } = await aListener()
    const responses: ServerResponse[] = []
    listener.removeAllListeners('request').on('request', (_, response) => responses.push(response))
    const sockets = Array.from({ length: 40 }, () => connect(port, HOST))
    for (const socket of sockets) socket.resume().write('GET / HTTP/1.0\r\n\r\n')
    while (responses.length < sockets.length) await nextTurn()
    let isClosed = false
    const closing = new Promise<void>((resolve) => {
      listener.close(() => {
        isClosed = true
        resolve()
      })
    })
    for (const response of responses.splice(1)) response.end()
    while (sockets.filter(({ closed }) => !closed).length > 1) await nextTurn()
    assert.isFalse(isClosed)
    responses[0].end()
    await closing
  })

  test('refuses connections once it is closed', async ({ assert }) => {
    const { listener, port } = await aListener()
    listener.close()
    await once(listener, 'close')
    for (let attempt = 0; attempt < 40; attempt++) {
      const [error] = await once(connect(port, HOST), 'error')
      assert.equal(error.code, 'ECONNREFUSED')
    }
  })

  test('does not share its port with another one', async ({ assert, cleanup }) => {
    const { listener, port } = await aListener()
    cleanup(() => void listener.close())
    const error = await aListener(port).then(
      () => null,
      (reason: NodeJS.ErrnoException) => reason.code
    )
    assert.equal(error, 'EADDRINUSE')
  })
})
