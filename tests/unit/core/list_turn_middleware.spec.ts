import { test } from '@japa/runner'
import type { HttpContext } from '@adonisjs/core/http'
import ListTurnMiddleware from '#core/middleware/list_turn_middleware'
import { eventually } from '#tests/helpers/eventually'
import { uniqueEmail } from '#tests/helpers/people'
import { TestHttpServer, sendJson } from '#tests/world/http_server'

const LARGE = { text: 'x'.repeat(100_000) }
const SMALL = {}

/** Requests of lists, and what is done once their turn has come. */
async function aService(cleanup: (callback: () => Promise<void>) => void) {
  const middleware = new ListTurnMiddleware()
  const reading = new Map<string, (body: unknown) => void>()
  const server = await new TestHttpServer(({ url = '', headers }, response) => {
    const request = { url: () => url, method: () => 'GET' }
    const caller = { email: headers.from }
    const ctx = { request, response: { response }, caller } as unknown as HttpContext
    return middleware.handle(ctx, async () => {
      reading.set(url, (body) => {
        reading.delete(url)
        response.setHeader('content-length', JSON.stringify(body).length)
        sendJson(response, body)
      })
    })
  }).start()
  cleanup(() => server.stop())
  const ask = (from: string, url: string) => {
    const leaving = new AbortController()
    const asked = fetch(`${server.url}${url}`, { headers: { from }, signal: leaving.signal })
    asked.catch(() => {})
    return leaving
  }
  const arrived = (url: string) =>
    eventually(`${url} has arrived`, () => server.requests.some((request) => request.url === url))
  const isRead = (url: string) => eventually(`${url} is read`, () => reading.has(url))
  return { reading, ask, arrived, isRead }
}

test.group('Lists in turn', () => {
  test('are read one after another for one caller', async ({ assert, cleanup }) => {
    const { reading, ask, arrived, isRead } = await aService(cleanup)
    const email = uniqueEmail()
    ask(email, '/types')
    await isRead('/types')
    ask(email, '/roles')
    await arrived('/roles')
    ask(uniqueEmail(), '/policy')
    await isRead('/policy')
    assert.isFalse(reading.has('/roles'))
    reading.get('/types')!(LARGE)
    await isRead('/roles')
    reading.get('/roles')!(LARGE)
    reading.get('/policy')!(LARGE)
  })

  test('wait for nothing while they are known to be small', async ({ cleanup }) => {
    const { reading, ask, isRead } = await aService(cleanup)
    const email = uniqueEmail()
    ask(email, '/small')
    await isRead('/small')
    ask(email, '/large')
    reading.get('/small')!(SMALL)
    await isRead('/large')
    ask(email, '/small')
    await isRead('/small')
    reading.get('/small')!(SMALL)
    reading.get('/large')!(LARGE)
  })

  test('give their turn back if the client leaves', async ({ cleanup }) => {
    const { ask, isRead, reading } = await aService(cleanup)
    const email = uniqueEmail()
    const leaving = ask(email, '/first')
    await isRead('/first')
    ask(email, '/second')
    leaving.abort()
    await isRead('/second')
    reading.get('/second')!(LARGE)
  })
})
