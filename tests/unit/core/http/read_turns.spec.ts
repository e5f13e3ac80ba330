import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import { ReadTurns } from '#core/http/read_turns'
import { eventually } from '#tests/helpers/eventually'
import { TestHttpServer, sendJson } from '#tests/world/http_server'

const LARGE = { text: 'x'.repeat(100_000) }
const SMALL = {}

interface Reading {
  /** Ends the work, and responds. */
  respond: (body: object) => void
}

/** Each read lasts until the test responds. Paths name the caller and what is read or changed. */
async function aService(cleanup: TestContext['cleanup'], options = {}) {
  // However slow the machine is.
  const usual = { quickMs: Number.POSITIVE_INFINITY, smallForMs: 60_000 }
  const turns = new ReadTurns({ ...usual, ...options })
  const reading = new Map<string, Reading>()
  const server = await new TestHttpServer(({ url = '' }, response) => {
    const [, caller, name] = url.split(/[/?]/)
    const target = name === 'change' ? null : name
    const read = () =>
      new Promise<void>((done) => {
        reading.set(url, {
          respond(body) {
            reading.delete(url)
            done()
            response.setHeader('content-length', JSON.stringify(body).length)
            sendJson(response, body)
          },
        })
      })
    // Some still wait for their turn when the test has ended.
    return turns.run({ caller, target, response }, read).catch(() => response.destroy())
  }).start()
  cleanup(() => server.stop())
  const ask = (path: string) => {
    const leaving = new AbortController()
    fetch(`${server.url}${path}`, { signal: leaving.signal }).catch(() => {})
    return leaving
  }
  const arrived = (path: string) =>
    eventually(`${path} has arrived`, () => server.requests.some(({ url }) => url === path))
  const isRead = (path: string) => eventually(`${path} is read`, () => reading.get(path))
  return { reading, ask, arrived, isRead }
}

test.group('Reads in turn', () => {
  test('are read one after another for one caller', async ({ assert, cleanup }) => {
    const { reading, ask, arrived, isRead } = await aService(cleanup)
    ask('/ada/types')
    const types = await isRead('/ada/types')
    ask('/ada/roles')
    await arrived('/ada/roles')
    ask('/grace/types')
    await isRead('/grace/types')
    assert.isFalse(reading.has('/ada/roles'))
    types.respond(LARGE)
    await isRead('/ada/roles')
  })

  test('wait even after a small response if it says nothing about the next one', async ({
    assert,
    cleanup,
  }) => {
    const { reading, ask, arrived, isRead } = await aService(cleanup)
    ask('/ada/change?1')
    const small = await isRead('/ada/change?1')
    small.respond(SMALL)
    ask('/ada/change?2')
    await isRead('/ada/change?2')
    ask('/ada/change?3')
    await arrived('/ada/change?3')
    assert.isFalse(reading.has('/ada/change?3'))
  })

  test('wait for nothing while they are known to be small', async ({ assert, cleanup }) => {
    const { reading, ask, arrived, isRead } = await aService(cleanup)
    ask('/ada/small')
    const small = await isRead('/ada/small')
    ask('/ada/large')
    await arrived('/ada/large')
    small.respond(SMALL)
    const large = await isRead('/ada/large')
    ask('/ada/small')
    await isRead('/ada/small')
    ask('/ada/other')
    await arrived('/ada/other')
    assert.isFalse(reading.has('/ada/other'))
    large.respond(LARGE)
    await isRead('/ada/other')
  })

  test('are small for each caller by itself', async ({ assert, cleanup }) => {
    const { reading, ask, arrived, isRead } = await aService(cleanup)
    ask('/ada/types')
    const types = await isRead('/ada/types')
    ask('/ada/roles')
    await arrived('/ada/roles')
    types.respond(SMALL)
    await isRead('/ada/roles')
    ask('/grace/types')
    await isRead('/grace/types')
    ask('/grace/roles')
    await arrived('/grace/roles')
    ask('/alan/types')
    await isRead('/alan/types')
    assert.isFalse(reading.has('/grace/roles'))
  })

  test('keep their turn until the work ends, although the client has left', async ({
    assert,
    cleanup,
  }) => {
    const { reading, ask, arrived, isRead } = await aService(cleanup)
    const client = ask('/ada/first')
    const first = await isRead('/ada/first')
    ask('/ada/second')
    await arrived('/ada/second')
    client.abort()
    ask('/grace/first')
    await isRead('/grace/first')
    assert.isFalse(reading.has('/ada/second'))
    first.respond(LARGE)
    await isRead('/ada/second')
  })

  test('begin only after a pause that is twice as long as a large one took', async ({
    assert,
    cleanup,
  }) => {
    const { ask, arrived, isRead } = await aService(cleanup, { quickMs: 0 })
    ask('/ada/first')
    const first = await isRead('/ada/first')
    const begunAt = performance.now()
    ask('/ada/second')
    await arrived('/ada/second')
    // Much longer than it takes to notice that the second one has begun.
    await eventually('the first has taken long', () => performance.now() - begunAt > 300)
    const endedAt = performance.now()
    first.respond(LARGE)
    await isRead('/ada/second')
    assert.isAtLeast(performance.now() - endedAt, 2 * (endedAt - begunAt))
  })
})
