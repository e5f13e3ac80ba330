import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { MAX_PAGE_BYTES } from '#core/http/paging'
import { recordInboxChange } from '#app/delivery/actions/record_inbox_change'
import { transaction } from '#core/database/transaction'
import { parseEventId } from '#app/inbox/stream/event_id'
import { InboxFollower } from '#app/inbox/stream/inbox_follower'
import { inboxStreams } from '#app/inbox/stream/inbox_streams'
import Notification from '#app/notifications/models/notification'
import inboxConfig from '#config/inbox'
import { recordStatements } from '#tests/helpers/count_statements'
import { eventually } from '#tests/helpers/eventually'
import { aNotification } from '#tests/helpers/inbox'
import { followInbox, lastIdOf, notificationsIn } from '#tests/helpers/inbox_streams'
import { uniqueEmail } from '#tests/helpers/people'

const PATIENCE_MS = 30_000
const isReadingItems = (statement: string) => /body_html.* where .id. in/.test(statement)

/** Items of a user, in the order of their ids. */
async function manyItems(email: string, count: number, fields: Partial<Notification> = {}) {
  const { $attributes } = await aNotification(email, fields)
  const { id, ...item } = $attributes
  for (let stored = 1; stored < count; stored += 100) {
    const some = Array.from({ length: Math.min(100, count - stored) }, () => item)
    await Notification.createMany(some)
  }
  const rows = await Notification.query().where('email', email).orderBy('id').select('id')
  return rows.map((row) => row.id)
}

/** They all wake at one moment, after the last of them is stored. */
async function manySnoozedItems(email: string, count: number, fields: Partial<Notification> = {}) {
  const snoozedUntil = DateTime.utc().plus({ hours: 1 })
  const createdAt = DateTime.utc().minus({ hours: 2 })
  const ids = await manyItems(email, count, { ...fields, createdAt, snoozedUntil })
  const wake = () => {
    const soon = DateTime.utc().plus({ milliseconds: 300 }).toISO()
    return Notification.query().where('email', email).update({ snoozed_until: soon })
  }
  return { ids, wake }
}

async function archiveAndReturn(email: string, ids: number[]) {
  for (const id of ids) {
    await transaction((trx) => recordInboxChange(email, 'archived', [id], trx))
    await transaction((trx) => recordInboxChange(email, 'unarchived', [id], trx))
  }
}

/** What the streams of a user are offered from now on. */
function recordOffers(email: string): string[] {
  const offers: string[] = []
  for (const follower of inboxStreams.followers(email)) {
    const offer = follower.offer.bind(follower)
    follower.offer = (text) => {
      offers.push(text)
      offer(text)
    }
  }
  return offers
}

const eventsIn = (text: string) => text.split('event: notification').length - 1

const minutesAgo = (minutes: number) => DateTime.utc().minus({ minutes }).toMillis()

test.group('Many or large news of an inbox', (group) => {
  group.each.teardown(async () => {
    await eventually('no stream is left', () => inboxStreams.size === 0)
  })

  test('are delivered to all clients in parts', async ({ assert, cleanup }) => {
    const [email, other] = [uniqueEmail(), uniqueEmail()]
    const { ids, wake } = await manySnoozedItems(email, 2_000)
    const streams = [await followInbox(email, cleanup), await followInbox(email, cleanup)]
    const bystander = await followInbox(other, cleanup)
    const offers = recordOffers(email)
    await wake()
    const [first] = streams
    const theirs = await aNotification(other)
    for (const stream of streams) {
      const isComplete = () => notificationsIn(stream).length >= ids.length
      await eventually('all of them', isComplete, PATIENCE_MS)
      assert.deepEqual(notificationsIn(stream), ids)
    }
    assert.isAtMost(Math.max(...offers.map(eventsIn)), inboxConfig.pageSize)
    const { marks } = parseEventId(lastIdOf(first), 'id')
    assert.lengthOf(marks, inboxConfig.maxMarks)
    assert.equal(marks.at(-1), `W${ids.at(-1)!.toString(36)}`)
    await eventually('the other one', () => notificationsIn(bystander).includes(theirs.id))
  }).timeout(60_000)

  test('are delivered in parts of a size', async ({ assert, cleanup }) => {
    const email = uniqueEmail()
    const size = 900_000
    const { ids, wake } = await manySnoozedItems(email, 14, { bodyText: 'x'.repeat(size) })
    const stream = await followInbox(email, cleanup)
    const offers = recordOffers(email)
    await wake()
    const isComplete = () => notificationsIn(stream).length >= ids.length
    await eventually('all of them', isComplete, PATIENCE_MS)
    assert.deepEqual(notificationsIn(stream), ids)
    assert.isAtMost(Math.max(...offers.map(({ length }) => length)), MAX_PAGE_BYTES + 100_000)
  }).timeout(60_000)

  test('reach a client that resumes in parts, until it leaves', async ({ assert, cleanup }) => {
    const email = uniqueEmail()
    const ids = await manyItems(email, 14, { bodyText: 'x'.repeat(900_000) })
    await archiveAndReturn(email, ids)
    const stream = await followInbox(email, cleanup)
    const [{ caller }] = inboxStreams.followers(email)
    const position = { horizon: minutesAgo(5), marks: [] }
    const chunks: string[] = []
    const connection = new ServerResponse(new IncomingMessage(new Socket()))
    const follower = new InboxFollower(caller, position, connection)
    follower.body.setEncoding('utf8').on('data', (chunk: string) => {
      chunks.push(chunk)
      if (chunk.includes(`"id":${ids[5]},`)) follower.close()
    })
    const statements = await recordStatements(async () => {
      inboxStreams.follow(follower)
      await eventually('it has left', () => follower.body.readableEnded)
    })
    assert.deepEqual(
      chunks.map(eventsIn).filter((count) => count > 0),
      [4, 4]
    )
    assert.lengthOf(statements.filter(isReadingItems), 2)
    stream.close()
  })

  test('are not read by a client that starts with now', async ({ assert, cleanup }) => {
    const email = uniqueEmail()
    const ids = await manyItems(email, 60)
    await archiveAndReturn(email, ids.slice(0, 20))
    const statements = await recordStatements(async () => {
      const stream = await followInbox(email, cleanup)
      assert.deepEqual(notificationsIn(stream), [])
    })
    assert.deepEqual(statements.filter(isReadingItems), [])
  })

  test('are not read again when a client resumes that has them', async ({ assert, cleanup }) => {
    const email = uniqueEmail()
    const first = await followInbox(email, cleanup)
    const ids = await manyItems(email, 60)
    await eventually('it has them', () => notificationsIn(first).length === ids.length)
    const statements = await recordStatements(async () => {
      const second = await followInbox(email, cleanup, { lastEventId: lastIdOf(first) })
      assert.deepEqual(notificationsIn(second), [])
    })
    assert.deepEqual(statements.filter(isReadingItems), [])
  })

  test('reach each of many streams that a user opens at once', async ({ assert, cleanup }) => {
    const email = uniqueEmail()
    const ids = await manyItems(email, 120)
    await archiveAndReturn(email, ids.slice(0, 30))
    const lastEventId = `1.${minutesAgo(5).toString(36)}.`
    const opening = Array.from({ length: 10 }, () => followInbox(email, cleanup, { lastEventId }))
    for (const stream of await Promise.all(opening)) {
      assert.sameMembers(notificationsIn(stream), ids)
      assert.lengthOf(notificationsIn(stream), ids.length)
    }
  })
})
