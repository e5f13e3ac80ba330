import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { test } from '@japa/runner'
import broadcastsConfig from '#config/broadcasts'
import httpLimits from '#config/http_limits'
import type Application from '#app/applications/models/application'
import {
  closeProgressStreams,
  countProgressStreams,
  progressStream,
} from '#app/broadcasts/stream/progress_stream'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import {
  aBroadcast,
  anEndedBroadcast,
  pathOf,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'
import { credentials, serviceUrl } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'

/** Opens the stream on a separate connection, as a browser does. */
async function follow(path: string, signal?: AbortSignal, token?: string) {
  const headers = token ? { authorization: `Bearer ${token}` } : await credentials('token')
  return fetch(`${serviceUrl()}${path}/stream`, { headers, signal })
}

function eventsOf(text: string) {
  return [...text.matchAll(/^event: (.+)\ndata: (.+)\n\n/gm)].map(([, name, data]) => ({
    name,
    data: JSON.parse(data),
  }))
}

async function aScheduled(application: Application) {
  const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
  return pathOf(application, id)
}

test.group('The stream of a broadcast', () => {
  test('sends every change and ends with the broadcast', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const { id } = await aBroadcast(application, {
      audience: { kind: 'emails', emails: uniqueEmails(30) },
      ratePerSecond: 20,
    })
    const response = await follow(pathOf(application, id))
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    startBroadcastWorker(cleanup)
    const events = eventsOf(await response.text())
    const steps = events.map(({ data }) => data.processed)
    assert.isAbove(events.length, 3)
    assert.deepEqual(
      steps,
      steps.toSorted((one, other) => one - other)
    )
    assert.include(events.at(-2), { name: 'progress' })
    assert.include(events.at(-1), { name: 'end' })
    assert.include(events.at(-1)!.data, { id, status: 'completed', total: 30, sent: 30 })
  })

  test('of an ended broadcast ends immediately', async ({ assert }) => {
    const application = await anApplication()
    const { id } = await anEndedBroadcast(application)
    const response = await follow(pathOf(application, id))
    const events = eventsOf(await response.text())
    assert.deepEqual(
      events.map(({ name, data }) => [name, data.status]),
      [
        ['progress', 'cancelled'],
        ['end', 'cancelled'],
      ]
    )
  })

  test('ends when the reader loses access or the token expires', async ({ assert, cleanup }) => {
    const { streamAccessCheckMs: streamAskMs } = broadcastsConfig
    broadcastsConfig.streamAccessCheckMs = 100
    cleanup(() => void (broadcastsConfig.streamAccessCheckMs = streamAskMs))
    const application = await anApplication()
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const email = await anAdministratorOf(application)
    const exp = Math.floor(Date.now() / 1_000) + 3
    const [lasting, ending] = await Promise.all([
      follow(pathOf(application, id), undefined, await issuer.token(email)),
      follow(pathOf(application, id), undefined, await issuer.token(email, { claims: { exp } })),
    ])
    const told = await ending.text()
    assert.isAtLeast(Date.now(), exp * 1_000)
    assert.deepEqual(
      eventsOf(told).map(({ name }) => name),
      ['progress']
    )
    assert.equal(countProgressStreams(), 1, 'whoever still may goes on')
    await ApplicationAdmin.query().where({ email }).delete()
    assert.notInclude(await lasting.text(), 'event: end')
    const again = await follow(pathOf(application, id), undefined, await issuer.token(email))
    assert.include(await again.text(), 'FORBIDDEN')
  })

  test('takes the places of one caller, however many follow an application', async ({
    assert,
    cleanup,
  }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const [busy, quiet] = [await aScheduled(application), await aScheduled(other)]
    const leaving = new AbortController()
    cleanup(() => leaving.abort())
    const openFor = async (email: string, count: number) => {
      const token = await issuer.token(email)
      return Promise.all(Array.from({ length: count }, () => follow(busy, leaving.signal, token)))
    }
    const places = Math.floor(httpLimits.inFlight.streams * httpLimits.perCaller)
    const half = Math.ceil(places / 2)
    const admins = [await anAdministratorOf(application), await anAdministratorOf(application)]
    const responses = [
      ...(await openFor(admins[0], half)),
      ...(await openFor(admins[1], places - half)),
    ]
    for (const { status } of responses) assert.equal(status, 200)
    const [refused] = await openFor(admins[1], 1)
    assert.equal(refused.status, 429)
    assert.include(await refused.text(), 'RATE_LIMITED')
    assert.equal((await follow(quiet, leaving.signal)).status, 200)
  })

  test('does not start for a closed connection', async ({ assert }) => {
    const { id } = await aBroadcast(await anApplication(), { scheduledAt: '2099-01-01T00:00:00Z' })
    const response = new ServerResponse(new IncomingMessage(new Socket())).destroy()
    const before = countProgressStreams()
    const stream = progressStream(id, response, async () => true)
    assert.equal(countProgressStreams(), before)
    assert.notInclude(await textOf(stream), 'event')
  })

  test('is cleaned up when the reader disconnects or the process stops', async ({ assert }) => {
    const application = await anApplication()
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    await eventually('no other is open', () => countProgressStreams() === 0)
    const leaving = new AbortController()
    const response = await follow(pathOf(application, id), leaving.signal)
    assert.equal(countProgressStreams(), 1)
    leaving.abort()
    await response.text().catch(() => {})
    await eventually('it is closed', () => countProgressStreams() === 0)

    const other = await follow(pathOf(application, id))
    closeProgressStreams()
    assert.include(await other.text(), 'event: progress')
    await eventually('it is closed, too', () => countProgressStreams() === 0)
  })
})
