import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from '@japa/runner'
import { accessTransaction } from '#core/database/access_transaction'
import { sealEntries } from '#app/audit/actions/seal_entries'
import { changeFeed } from '#app/change_feed/stream/change_feed'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import feedConfig from '#config/change_feed'
import { EventStream } from '#tests/helpers/event_stream'
import { eventually } from '#tests/helpers/eventually'
import { lifecycleEvent } from '#tests/helpers/management'
import { uniqueEmail } from '#tests/helpers/people'
import { serviceUrl } from '#tests/helpers/send'
import { INTERNAL_KEY } from '#tests/world/prepare'

const KEY = { 'x-internal-api-key': INTERNAL_KEY }

const change = (email = uniqueEmail()) =>
  accessTransaction(async (_, changed) => {
    changed({ email })
    return email
  })

type Cleanup = (callback: () => void) => void

async function follow(cleanup: Cleanup, path = '', headers: Record<string, string> = {}) {
  const url = `${serviceUrl()}/api/internal/changes${path}`
  const stream = await EventStream.open(url, { ...KEY, ...headers })
  cleanup(() => stream.close())
  await stream.find('it is live', ({ event }) => event === 'heartbeat')
  return stream
}

const emailsIn = ({ events }: EventStream) =>
  events
    .filter(({ event }) => event === 'access')
    .map(({ data }) => (data.scopes as { email: string }[])[0].email)

function set<Name extends keyof typeof feedConfig>(cleanup: Cleanup, name: Name, value: number) {
  const former = feedConfig[name]
  feedConfig[name] = value
  cleanup(() => void (feedConfig[name] = former))
}

test.group('The stream of changes', (group) => {
  group.each.teardown(async () => {
    await eventually('no stream is left', () => changeFeed.size === 0)
  })

  test('begins with a heartbeat that has the current revision', async ({ assert, cleanup }) => {
    await change()
    const { response, events } = await follow(cleanup)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(events[0].data.revision, followedChanges.revision)
  })

  test('sends each change with its revision as id', async ({ assert, cleanup }) => {
    const stream = await follow(cleanup)
    const emails = [await change(), await change()]
    await eventually('both arrive', () => emailsIn(stream).length === 2)
    assert.deepEqual(emailsIn(stream), emails)
    const [first, second] = stream.events.filter(({ event }) => event === 'access')
    assert.equal(first.id, String(first.data.revision))
    assert.isAbove(second.data.revision, first.data.revision)
  })

  test('resumes after the last event without a gap or a repetition', async ({
    assert,
    cleanup,
  }) => {
    const first = await follow(cleanup)
    const emails = [await change()]
    await eventually('it arrives', () => emailsIn(first).length === 1)
    first.close()
    for (let missed = 0; missed < 250; missed++) emails.push(await change())
    const second = await follow(cleanup, '', { 'last-event-id': first.events.at(-1)!.id! })
    emails.push(await change())
    await eventually('all arrive', () => emailsIn(second).length === 251)
    assert.deepEqual([...emailsIn(first), ...emailsIn(second)], emails)
  })

  test('a follower that joins while others receive misses nothing', async ({ assert, cleanup }) => {
    const early = await follow(cleanup, '?domains=access,users,audit')
    const { revision } = early.events[0].data
    const writing = (async () => {
      const emails: string[] = []
      for (let count = 0; count < 60; count++) emails.push(await change())
      return emails
    })()
    const late = await Promise.all(
      Array.from({ length: 20 }, () =>
        follow(cleanup, `?after=${revision}`, { accept: 'text/event-stream' })
      )
    )
    const emails = await writing
    for (const stream of [early, ...late]) {
      await eventually('all arrive', () => emailsIn(stream).length >= emails.length)
      assert.deepEqual(emailsIn(stream), emails)
    }
  })

  test('of events with the same revision, only the last has an id', async ({
    assert,
    client,
    cleanup,
  }) => {
    const stream = await follow(cleanup, '?domains=users,audit')
    const email = uniqueEmail()
    await lifecycleEvent(client, 'user.created', email)
    await lifecycleEvent(client, 'user.deactivated', email)
    while (await sealEntries()) continue
    const told = await stream.find('the user', ({ event, data }) => {
      return event === 'users' && data.email === email && data.action === 'user.deactivated'
    })
    const audited = await stream.find('the entry', ({ event, data }) => {
      return event === 'audit' && data.revision === told.data.revision
    })
    assert.isUndefined(told.id)
    assert.equal(audited.id, String(audited.data.revision))
    assert.containSubset(audited.data.entry, { action: 'user.deactivated', email })
    assert.isFalse(stream.events.some(({ event }) => event === 'access'))
  })

  test('an unknown revision sends a reset', async ({ cleanup, assert }) => {
    const stream = await follow(cleanup, '', { 'last-event-id': '999999999' })
    const [reset, heartbeat] = stream.events
    assert.equal(reset.event, 'reset')
    assert.equal(reset.id, String(followedChanges.revision))
    assert.equal(heartbeat.data.revision, reset.data.revision)
  })

  test('heartbeats follow each other', async ({ assert, cleanup }) => {
    set(cleanup, 'heartbeatMs', 50)
    const stream = await follow(cleanup)
    const beats = () => stream.events.filter(({ event }) => event === 'heartbeat')
    await eventually('three of them', () => beats().length >= 3)
    await change()
    const { revision } = followedChanges
    await stream.find('a later one', ({ event, data }) => {
      return event === 'heartbeat' && data.revision >= revision
    })
    assert.isAtLeast(beats().at(-1)!.data.revision, beats()[0].data.revision)
  })

  test('a client that does not read is disconnected, and others are not', async ({
    assert,
    cleanup,
  }) => {
    set(cleanup, 'maxUnreadBytes', 600_000)
    const reader = await follow(cleanup)
    const { hostname, port } = new URL(serviceUrl())
    const socket = connect(Number(port), hostname)
    cleanup(() => void socket.destroy())
    const before = changeFeed.size
    const headers = `Host: x\r\nX-Internal-API-Key: ${INTERNAL_KEY}`
    socket.write(`GET /api/internal/changes HTTP/1.1\r\n${headers}\r\n\r\n`)
    await once(socket, 'readable')
    assert.equal(changeFeed.size, before + 1)
    // More than the buffers of the operating system hold.
    const scopes = Array.from({ length: 100 }, () => ({ email: 'x'.repeat(400) }))
    for (let count = 0; count < 400 && changeFeed.size > before; count++) {
      await accessTransaction(async (_, changed) => scopes.forEach(changed))
    }
    await eventually('it is disconnected', () => changeFeed.size === before)
    const email = await change()
    await eventually('the other one hears', () => emailsIn(reader).includes(email))
  })

  test('beyond the limit, a stream is refused', async ({ assert, cleanup }) => {
    set(cleanup, 'maxStreams', changeFeed.size + 1)
    await follow(cleanup)
    const url = `${serviceUrl()}/api/internal/changes`
    const refused = await fetch(url, { headers: KEY })
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '5')
    assert.containSubset(await refused.json(), { code: 'OVERLOADED' })
  })

  test('streams take no places of requests, and are forgotten when they close', async ({
    assert,
    cleanup,
  }) => {
    const streams: EventStream[] = []
    while (streams.length < 300) {
      // Arriving requests do take places.
      const more = Array.from({ length: 50 }, () => follow(cleanup))
      streams.push(...(await Promise.all(more)))
    }
    assert.isAtLeast(changeFeed.size, 300)
    for (const stream of streams) stream.close()
    await eventually('they are forgotten', () => changeFeed.size === 0)
  })

  test('a shutdown ends them', async ({ cleanup }) => {
    const stream = await follow(cleanup)
    changeFeed.close()
    await eventually('it ends', () => stream.isEnded)
  })

  test('HEAD opens no stream', async ({ assert }) => {
    const before = changeFeed.size
    const url = `${serviceUrl()}/api/internal/changes`
    const response = await fetch(url, { method: 'HEAD', headers: KEY })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    assert.equal(changeFeed.size, before)
  })

  test('an invalid Last-Event-ID is refused', async ({ assert }) => {
    const url = `${serviceUrl()}/api/internal/changes`
    const response = await fetch(url, { headers: { ...KEY, 'last-event-id': 'x' } })
    assert.equal(response.status, 400)
  })
})
