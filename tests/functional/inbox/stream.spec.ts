import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { usesPostgres } from '#core/database/dialect'
import { placeUsage } from '#core/http/place'
import { transaction } from '#core/database/transaction'
import { recordInboxChange } from '#app/delivery/actions/record_inbox_change'
import { announceInboxNews } from '#app/delivery/inbox_news'
import { inboxStreams } from '#app/inbox/stream/inbox_streams'
import Notification from '#app/notifications/models/notification'
import inboxConfig from '#config/inbox'
import { aType, sendNotification } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { INBOX, aNotification } from '#tests/helpers/inbox'
import {
  followInbox,
  lastIdOf,
  notificationsIn,
  openStream,
  storyOf,
} from '#tests/helpers/inbox_streams'
import { lifecycleEvent } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { serviceUrl } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'

type Cleanup = (callback: () => void) => void

function set<Name extends keyof typeof inboxConfig>(cleanup: Cleanup, name: Name, value: number) {
  const former = inboxConfig[name]
  inboxConfig[name] = value
  cleanup(() => void (inboxConfig[name] = former))
}

const hoursAgo = (hours: number) => DateTime.utc().minus({ hours })
const inHours = (hours: number) => DateTime.utc().plus({ hours }).toISO()

test.group('The stream of an inbox', (group) => {
  group.each.teardown(async () => {
    await eventually('no stream is left', () => inboxStreams.size === 0)
  })

  test('begins with the unread count, and has each message once', async ({
    client,
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail()
    await aNotification(email)
    const stream = await followInbox(email, cleanup)
    assert.deepEqual(storyOf(stream), ['unread-count 1'])
    const application = await anApplication()
    const { code: type } = await aType(application)
    const data = { subject: 'Hello', body: 'There', url: 'https://shop.example' }
    const send = { recipientEmail: email, appCode: application.code, type, data }
    const { id } = (await sendNotification(client, send)).body().data
    await sendNotification(client, { ...send, recipientEmail: uniqueEmail() })
    const event = await stream.find('it', ({ event: name }) => name === 'notification')
    await stream.find('the count', ({ event: name, data: { count } }) => {
      return name === 'unread-count' && count === 2
    })
    const listed = await signedIn(client, email).get(`${INBOX}?limit=1`)
    const [item] = listed.body().response
    // Its delivery may not have ended yet when it is shown.
    const { status, statusReason } = event.data
    assert.deepEqual(event.data, { ...item, status, statusReason })
    assert.deepEqual(storyOf(stream), ['unread-count 1', `notification ${id}`, 'unread-count 2'])
  })

  test('reports what the user does elsewhere', async ({ client, assert, cleanup }) => {
    const email = uniqueEmail()
    const { id } = await aNotification(email)
    const stream = await followInbox(email, cleanup)
    const person = signedIn(client, email)
    const steps: [string, object | undefined, string, number][] = [
      ['read', undefined, `read ${id}`, 0],
      ['unread', undefined, `unread ${id}`, 1],
      ['archive', undefined, `archived ${id}`, 0],
      ['unarchive', undefined, `notification ${id}`, 1],
      ['snooze', { until: inHours(1) }, `snoozed ${id}`, 0],
      ['snooze', { until: null }, `notification ${id}`, 1],
    ]
    const story = ['unread-count 1']
    for (const [what, body, told, count] of steps) {
      await person.patch(`${INBOX}/${id}/${what}`, body)
      // Changes nothing, so there is no event.
      if (!body) await person.patch(`${INBOX}/${id}/${what}`)
      story.push(told, `unread-count ${count}`)
      await eventually(`${what} is told`, () => storyOf(stream).length >= story.length)
      assert.deepEqual(storyOf(stream), story)
    }
    await aNotification(email)
    const all = await person.post(`${INBOX}/read-all`)
    assert.deepEqual(all.body(), { updated: 2 })
    await stream.find('all', ({ event, data }) => {
      return event === 'read' && (data.ids as number[]).length === 2
    })
  })

  test('shows a snoozed item again when its time has come', async ({ client, assert, cleanup }) => {
    const email = uniqueEmail()
    const { id } = await aNotification(email)
    const stream = await followInbox(email, cleanup)
    const until = DateTime.utc().plus({ milliseconds: 700 }).toISO()
    await signedIn(client, email).patch(`${INBOX}/${id}/snooze`, { until })
    await eventually('it is back', () => storyOf(stream).length >= 5)
    assert.deepEqual(storyOf(stream), [
      'unread-count 1',
      `snoozed ${id}`,
      'unread-count 0',
      `notification ${id}`,
      'unread-count 1',
    ])
  })

  test('has a scheduled message only once it appears', async ({ assert, cleanup }) => {
    const email = uniqueEmail()
    const stream = await followInbox(email, cleanup)
    const item = await aNotification(email, { inInbox: false, createdAt: hoursAgo(5) })
    const other = await aNotification(email)
    announceInboxNews()
    await eventually('the other one', () => notificationsIn(stream).includes(other.id))
    assert.deepEqual(notificationsIn(stream), [other.id])
    await transaction(async (trx) => {
      item.useTransaction(trx).merge({ inInbox: true, shownAt: DateTime.utc() })
      await item.save()
      await recordInboxChange(email, 'appeared', [item.id], trx)
    })
    await eventually('it', () => notificationsIn(stream).includes(item.id))
    const again = await followInbox(email, cleanup, { lastEventId: lastIdOf(stream) })
    assert.deepEqual(notificationsIn(again), [])
  })

  test('resumes with what was missed, exactly once', async ({ client, assert, cleanup }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const old = await aNotification(email, { createdAt: hoursAgo(3) })
    const first = await followInbox(email, cleanup)
    const known = await aNotification(email)
    await eventually('it knows one', () => notificationsIn(first).includes(known.id))
    first.close()
    await eventually('it is gone', () => inboxStreams.size === 0)

    const missed = await aNotification(email)
    const hidden = await aNotification(email)
    await person.patch(`${INBOX}/${hidden.id}/archive`)
    await person.patch(`${INBOX}/${known.id}/read`)
    const snoozed = await aNotification(email)
    await person.patch(`${INBOX}/${snoozed.id}/snooze`, { until: inHours(1) })
    await Notification.query()
      .where('id', snoozed.id)
      .update({ snoozed_until: DateTime.utc().toISO() })
    await person.patch(`${INBOX}/${old.id}/archive`)
    const query = `?lastEventId=${lastIdOf(first)}`
    const second = await followInbox(email, cleanup, { query })
    assert.sameMembers(storyOf(second), [
      `archived ${hidden.id}`,
      `read ${known.id}`,
      `archived ${old.id}`,
      `notification ${snoozed.id}`,
      `notification ${missed.id}`,
      'unread-count 2',
    ])
    const third = await followInbox(email, cleanup, { lastEventId: lastIdOf(second), query })
    assert.deepEqual(storyOf(third), ['unread-count 2'])
  })

  test('resumes with items that were hidden and shown again', async ({
    client,
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const change = async ({ id }: { id: number }, what: string, body?: object) => {
      const response = await person.patch(`${INBOX}/${id}/${what}`, body)
      response.assertStatus(204)
    }
    const archived = { createdAt: hoursAgo(3), archivedAt: hoursAgo(2) }
    const returned = await aNotification(email, archived)
    const hidden = await aNotification(email, archived)
    const snoozed = await aNotification(email, { createdAt: hoursAgo(3) })
    const first = await followInbox(email, cleanup)
    await change(snoozed, 'snooze', { until: inHours(1) })
    await eventually('it is hidden', () => storyOf(first).includes(`snoozed ${snoozed.id}`))
    first.close()
    for (const what of ['unarchive', 'archive', 'unarchive']) await change(returned, what)
    for (const what of ['unarchive', 'archive']) await change(hidden, what)
    await Notification.query()
      .where('id', snoozed.id)
      .update({ snoozed_until: DateTime.utc().toISO() })

    const second = await followInbox(email, cleanup, { lastEventId: lastIdOf(first) })
    const shown = new Set<number>()
    for (const { event, data } of [...first.events, ...second.events]) {
      if (event === 'notification') shown.add(data.id as number)
      if (event === 'archived' || event === 'snoozed') {
        for (const id of data.ids as number[]) shown.delete(id)
      }
    }
    assert.sameMembers([...shown], [returned.id, snoozed.id])
    const third = await followInbox(email, cleanup, { lastEventId: lastIdOf(second) })
    assert.deepEqual(storyOf(third), ['unread-count 2'])
  })

  test('resumes from the middle of what was missed', async ({ assert, cleanup }) => {
    set(cleanup, 'settleMs', 1_000)
    const email = uniqueEmail()
    const first = await followInbox(email, cleanup)
    first.close()
    const live = await followInbox(email, cleanup)
    const ids: number[] = []
    for (let count = 0; count < 120; count++) ids.push((await aNotification(email)).id)
    await eventually('all of them', () => notificationsIn(live).length === ids.length)
    const second = await followInbox(email, cleanup, { lastEventId: lastIdOf(first) })
    assert.deepEqual(notificationsIn(second), ids)
    for (const index of [0, 49, 50, 99]) {
      const { id } = second.events[index]
      const rest = await followInbox(email, cleanup, { lastEventId: id })
      assert.deepEqual(notificationsIn(rest), ids.slice(index + 1))
      rest.close()
    }
  })

  if (usesPostgres()) {
    test('has a message that is committed after later ones', async ({ assert, cleanup }) => {
      const email = uniqueEmail()
      const live = await followInbox(email, cleanup)
      const trx = await db.transaction()
      const fields = { email, appCode: 'shop', appName: 'Shop', type: 't', locale: 'en' }
      const late = await Notification.create(
        { ...fields, subject: 's', status: 'sent', payload: {}, inInbox: true },
        { client: trx }
      )
      const early = await aNotification(email)
      assert.isAbove(early.id, late.id)
      await eventually('the early one', () => notificationsIn(live).includes(early.id))
      const cursor = lastIdOf(live)
      await trx.commit()
      await eventually('the late one', () => notificationsIn(live).includes(late.id))
      assert.deepEqual(notificationsIn(live), [early.id, late.id])
      const resumed = await followInbox(email, cleanup, { lastEventId: cursor })
      assert.deepEqual(notificationsIn(resumed), [late.id])
      const again = await followInbox(email, cleanup, { lastEventId: lastIdOf(resumed) })
      assert.deepEqual(notificationsIn(again), [])
    })
  }

  test('misses and repeats nothing while messages arrive and clients reconnect', async ({
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail()
    const begin = await followInbox(email, cleanup)
    const writing = (async () => {
      const ids: number[] = []
      for (let count = 0; count < 60; count++) ids.push((await aNotification(email)).id)
      return ids
    })()
    const seen: number[] = []
    let stream = begin
    let isWriting = true
    void writing.then(() => (isWriting = false))
    while (isWriting) {
      await eventually('something', () => !isWriting || notificationsIn(stream).length > 0)
      stream.close()
      seen.push(...notificationsIn(stream))
      stream = await followInbox(email, cleanup, { lastEventId: lastIdOf(stream) })
    }
    const ids = await writing
    await eventually('all', () => seen.length + notificationsIn(stream).length >= ids.length)
    assert.deepEqual([...seen, ...notificationsIn(stream)], ids)
  })

  test('an event id that is too old resets the client', async ({ assert, cleanup }) => {
    const email = uniqueEmail()
    await aNotification(email)
    const horizon = hoursAgo(25).toMillis().toString(36)
    const stream = await followInbox(email, cleanup, { lastEventId: `1.${horizon}.` })
    assert.deepEqual(storyOf(stream), ['reset', 'unread-count 1'])
  })

  test('an event id of something else is refused', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    for (const id of ['7', '1.x', `1.abc.${'N1'.repeat(5_000)}`, "1.abc.N1'--"]) {
      const query = await person.get(`${INBOX}/stream?lastEventId=${encodeURIComponent(id)}`)
      query.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'lastEventId' }] })
    }
    const headers = { authorization: `Bearer ${await issuer.token(uniqueEmail())}` }
    const url = `${serviceUrl()}${INBOX}/stream`
    const response = await fetch(url, { headers: { ...headers, 'last-event-id': '7' } })
    assert.equal(response.status, 400)
    await response.body?.cancel()
  })

  test('heartbeats follow each other and have ids', async ({ assert, cleanup }) => {
    set(cleanup, 'heartbeatMs', 50)
    const stream = await followInbox(uniqueEmail(), cleanup)
    const beats = () => stream.events.filter(({ event }) => event === 'heartbeat')
    await eventually('two of them', () => beats().length >= 2)
    assert.match(beats()[1].id!, /^1\.[\da-z]+\.$/)
  })

  test('ends with the token', async ({ assert, cleanup }) => {
    const exp = Math.floor(Date.now() / 1_000) + 2
    const token = await issuer.token(uniqueEmail(), { claims: { exp } })
    const headers = { authorization: `Bearer ${token}` }
    const stream = await openStream(`${serviceUrl()}${INBOX}/stream`, headers, cleanup)
    await eventually('it ends', () => stream.isEnded)
    assert.isAtLeast(Date.now(), exp * 1_000)
    assert.equal(storyOf(stream).at(-1), 'end token_expired')
  })

  test('ends when the user is deactivated or erased', async ({ assert, client, cleanup }) => {
    const [inactive, erased, other] = [uniqueEmail(), uniqueEmail(), uniqueEmail()]
    const streams = await Promise.all(
      [inactive, erased, other].map((email) => followInbox(email, cleanup))
    )
    await lifecycleEvent(client, 'user.deactivated', inactive)
    const response = await superAdmin(client).delete(`/api/users/${erased}`)
    response.assertStatus(204)
    for (const stream of streams.slice(0, 2)) {
      await eventually('it ends', () => stream.isEnded)
      assert.equal(storyOf(stream).at(-1), 'end signed_out')
    }
    assert.isFalse(streams[2].isEnded)
  })

  test('a client that does not read is disconnected, and others are not', async ({
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail()
    const reader = await followInbox(email, cleanup)
    const { hostname, port } = new URL(serviceUrl())
    const socket = connect(Number(port), hostname)
    cleanup(() => void socket.destroy())
    const head = `Host: x\r\nAuthorization: Bearer ${await issuer.token(email)}`
    socket.write(`GET ${INBOX}/stream HTTP/1.1\r\n${head}\r\n\r\n`)
    await once(socket, 'readable')
    assert.equal(inboxStreams.size, 2)
    for (let count = 0; count < 200 && inboxStreams.size > 1; count++) {
      const item = await aNotification(email, { bodyText: 'x'.repeat(400_000) })
      announceInboxNews()
      await eventually('the reader has it', () => notificationsIn(reader).includes(item.id))
    }
    assert.equal(inboxStreams.size, 1)
    assert.isFalse(reader.isEnded)
  }).timeout(60_000)

  test('the oldest of too many streams of a user ends', async ({ assert, cleanup }) => {
    set(cleanup, 'maxStreamsPerUser', 2)
    const email = uniqueEmail()
    const first = await followInbox(email, cleanup)
    await followInbox(uniqueEmail(), cleanup)
    const second = await followInbox(email, cleanup)
    const third = await followInbox(email, cleanup)
    await eventually('the first ends', () => first.isEnded)
    assert.equal(storyOf(first).at(-1), 'end too_many_streams')
    assert.isFalse(second.isEnded || third.isEnded)
  })

  test('beyond the limit of the process, a stream is refused', async ({ assert, cleanup }) => {
    set(cleanup, 'maxStreams', 1)
    await followInbox(uniqueEmail(), cleanup)
    const { response } = await followInbox(uniqueEmail(), cleanup)
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '5')
  })

  test('streams take no places of requests', async ({ assert, cleanup }) => {
    await followInbox(uniqueEmail(), cleanup)
    const [usage] = placeUsage().filter(({ name }) => name === 'streams')
    assert.deepEqual([usage.inFlight, usage.arriving], [0, 0])
  })

  test('HEAD opens no stream', async ({ assert }) => {
    const headers = { authorization: `Bearer ${await issuer.token(uniqueEmail())}` }
    const response = await fetch(`${serviceUrl()}${INBOX}/stream`, { method: 'HEAD', headers })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    assert.equal(inboxStreams.size, 0)
  })
})
