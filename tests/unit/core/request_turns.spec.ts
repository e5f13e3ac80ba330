import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from '@japa/runner'
import { createHttpServer } from '#core/http/http_server'
import { eventually } from '#tests/helpers/eventually'
import { rawRequest } from '#tests/helpers/raw_requests'
import { RawConnection } from '#tests/world/raw_connection'

const MANY = 200

function busy(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end) continue
}

test.group('Requests that arrive at once', () => {
  test('of one client do not come before those of all others', async ({ assert, cleanup }) => {
    const begun: (string | undefined)[] = []
    const server = createHttpServer(({ socket }, response) => {
      begun.push(socket.remoteAddress)
      busy(2)
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    cleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    let accepted = 0
    server.on('connection', () => accepted++)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const many = await Promise.all(
      Array.from({ length: MANY }, () => RawConnection.to(url, '127.0.0.2'))
    )
    const others = [await RawConnection.to(url), await RawConnection.to(url)]
    await eventually('all are accepted', () => accepted === MANY + others.length)
    const isAnswered = ({ received }: RawConnection) => received.includes(' 200 ')
    for (const connection of [...many, ...others]) connection.write(rawRequest('GET', '/'))
    await eventually('all have their responses', () => [...many, ...others].every(isAnswered))
    assert.isBelow(begun.indexOf('127.0.0.1'), MANY / 4)
    assert.isBelow(begun.lastIndexOf('127.0.0.1'), MANY / 4)
    for (const connection of [...many, ...others]) connection.destroy()
  })
})
