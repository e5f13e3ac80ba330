import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { test } from '@japa/runner'
import { type OutboundRequest, outbound } from '#core/network/outbound'
import { OutboundError } from '#core/network/outbound_error'
import { Deadline } from '#core/values/deadline'
import { sendPush } from '#app/delivery/push/send_push'
import { storeEvents } from '#app/webhooks/actions/store_events'
import { eventually } from '#tests/helpers/eventually'
import { anApplication } from '#tests/helpers/people'
import { aWebhook, attemptDue, deliveriesTo } from '#tests/helpers/webhooks'
import { FloodingServer, KINDS_OF_FLOOD } from '#tests/world/flooding_server'
import { TestHttpServer } from '#tests/world/http_server'
import { Browser } from '#tests/world/push_service'

const ENDPOINTS = 20
const MAX_BODY = 1_048_576
const MAX_IGNORED_BODY = 16_384
const MAX_OVERHEAD = 65_536
/** A connection reads at most this much before it counts. */
const ONE_READ = 65_536
/** Longer than the test may take: no response ends because of its time. */
const NEVER_MS = 600_000

test.group('A server that floods its responses', (group) => {
  let flooding: FloodingServer
  const sockets = new Set<Socket>()
  const remember = (message: unknown) => void sockets.add((message as { socket: Socket }).socket)

  group.each.timeout(60_000)
  group.setup(async () => {
    flooding = await new FloodingServer().start()
    return () => flooding.stop()
  })
  group.each.setup(() => {
    subscribe('undici:client:sendHeaders', remember)
    return () => {
      unsubscribe('undici:client:sendHeaders', remember)
      sockets.clear()
    }
  })

  const outcomeOf = (url: string, options: Partial<OutboundRequest> = {}) =>
    outbound(url, { author: 'operator', timeoutMs: NEVER_MS, ...options }).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof OutboundError ? error.reason : String(error))
    )

  const endOfConnections = () =>
    eventually('the connections are closed', () => [...sockets].every(({ closed }) => closed))

  for (const flood of KINDS_OF_FLOOD) {
    test(`is not read beyond the limit: ${flood}`, async ({ assert }) => {
      await outcomeOf(flooding.urlOf(flood))
      await endOfConnections()
      await outcomeOf(flooding.urlOf(flood), { method: 'POST', body: '{}', ignoreBody: true })
      await endOfConnections()
      const [whole, ignored] = [...sockets].map(({ bytesRead }) => bytesRead)
      assert.isAtMost(whole, MAX_BODY + MAX_OVERHEAD + ONE_READ)
      assert.isAtMost(ignored, MAX_IGNORED_BODY + MAX_OVERHEAD + ONE_READ)
    })
  }

  for (const flood of ['informational responses', 'empty lines'] as const) {
    test(`does not keep others waiting: ${ENDPOINTS} × ${flood}`, async ({ assert, cleanup }) => {
      const innocent = await new TestHttpServer((_, response) => response.end('hello')).start()
      cleanup(() => innocent.stop())
      const ANSWERS = 50
      let answered = 0
      const outcomes: unknown[] = []
      const floodOn = async () => {
        do {
          outcomes.push(
            await outcomeOf(flooding.urlOf(flood), { method: 'POST', ignoreBody: true })
          )
        } while (answered < ANSWERS)
      }
      const askOn = async () => {
        for (; answered < ANSWERS; answered++) {
          assert.equal(await (await fetch(innocent.url)).text(), 'hello')
        }
      }
      await Promise.all([askOn(), ...Array.from({ length: ENDPOINTS }, floodOn)])
      assert.isAtLeast(outcomes.length, ENDPOINTS)
      assert.deepEqual([...new Set(outcomes)], ['too_large'])
    })
  }

  test('fails push messages that it is sent', async ({ assert }) => {
    const { keys } = new Browser('').subscription
    const endpoint = flooding.urlOf('informational responses')
    const { p256dh: p256Dh, auth } = keys
    const target = { id: 1, userId: 1, endpoint, p256Dh, auth, vapidPublicKey: null }
    const sends = Array.from({ length: ENDPOINTS }, () =>
      sendPush(target, '{}', { topic: 'topic', owner: {}, deadline: new Deadline(NEVER_MS) })
    )
    for (const outcome of await Promise.all(sends)) {
      assert.deepEqual(outcome, {
        kind: 'failed',
        status: null,
        error: 'the push service could not be used (too_large)',
        isTemporary: false,
      })
    }
  })

  test('fails webhook deliveries that it is sent', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const url = flooding.urlOf('informational responses')
    const { id } = await aWebhook(cleanup, application, url)
    const data = { application: application.code, email: null, revision: 1 }
    await storeEvents([{ webhookId: id, type: 'access.changed', email: null, data }], null)
    await attemptDue(id)
    const [delivery] = await deliveriesTo(id)
    assert.containSubset(delivery.$attributes, { attempts: 1, failureReason: 'connect' })
  })
})
