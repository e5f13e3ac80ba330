import { test } from '@japa/runner'
import { ArrivingRequest } from '#core/http/arriving_request'
import { rawRequest, statusesIn } from '#tests/helpers/raw_requests'
import { eventually } from '#tests/helpers/eventually'
import { credentials, serviceUrl } from '#tests/helpers/send'
import { RawConnection } from '#tests/world/raw_connection'

const CONNECTIONS = 8
/** The most that one read of a connection returns. */
const PER_READ = 65_536
const PER_TURN = 4_096

/** 900 kB in chunks that are as small as they may be. */
const CHUNK = `40\r\n${' '.repeat(64)}\r\n`
const CHUNKS = CHUNK.repeat(14_000)
const PIECES_PER_READ = Math.ceil(PER_READ / CHUNK.length)

test.group('Bodies in many small pieces', (group) => {
  /** Pieces that were handled between two other events. */
  let most = 0
  let all = 0

  group.setup(() => {
    const push = ArrivingRequest.prototype.push
    let now = 0
    ArrivingRequest.prototype.push = function (chunk) {
      if (now++ === 0) setImmediate(() => (now = 0))
      most = Math.max(most, now)
      all++
      return push.call(this, chunk)
    }
    return () => void (ArrivingRequest.prototype.push = push)
  })
  group.each.setup(() => {
    most = all = 0
  })

  async function sendAll(request: string, status: number) {
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => RawConnection.to(serviceUrl()))
    )
    for (const connection of connections) connection.write(request + CHUNKS + '0\r\n\r\n')
    for (const connection of connections) connection.write(rawRequest('GET', '/api/health/live'))
    const statuses = ({ received }: RawConnection) => statusesIn(received)
    await eventually('all have their responses', () =>
      connections.every((connection) => statuses(connection).length === 2)
    )
    const received = connections.map(statuses)
    for (const connection of connections) connection.destroy()
    return { received, expected: connections.map(() => [status, 200]) }
  }

  test('leave turns to others while they are read', async ({ assert }) => {
    const headers = { 'transfer-encoding': 'chunked', ...(await credentials('internal')) }
    const request = rawRequest('POST', '/api/internal/notifications', headers)
    const { received, expected } = await sendAll(request, 400)
    assert.deepEqual(received, expected)
    assert.isAbove(all, CONNECTIONS * 14_000)
    assert.isBelow(most, PER_TURN + CONNECTIONS * PIECES_PER_READ)
  })

  test('take little time if nobody reads them', async ({ assert }) => {
    const request = rawRequest('POST', '/api/nope', { 'transfer-encoding': 'chunked' })
    const { received, expected } = await sendAll(request, 404)
    assert.deepEqual(received, expected)
    assert.isBelow(all, CONNECTIONS * 2 * PIECES_PER_READ)
  })
})
