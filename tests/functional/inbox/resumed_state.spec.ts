import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { ApiClient } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { DateTime } from 'luxon'
import { announceInboxNews } from '#app/delivery/inbox_news'
import {
  ARCHIVE,
  type ItemChange,
  READ,
  UNARCHIVE,
  UNREAD,
  WAKE,
  changeItem,
  snooze,
} from '#app/inbox/actions/change_item'
import { markAllRead } from '#app/inbox/actions/mark_all_read'
import { changesSince } from '#app/inbox/queries/news'
import { eventsOf } from '#app/inbox/stream/inbox_events'
import { InboxFollower } from '#app/inbox/stream/inbox_follower'
import { inboxStreams } from '#app/inbox/stream/inbox_streams'
import { lackedTexts } from '#app/inbox/stream/missed_news'
import Notification from '#app/notifications/models/notification'
import inboxConfig from '#config/inbox'
import type { EventStream, StreamedEvent } from '#tests/helpers/event_stream'
import { eventually } from '#tests/helpers/eventually'
import { aNotification, inboxOf } from '#tests/helpers/inbox'
import { followInbox, notificationsIn, storyOf } from '#tests/helpers/inbox_streams'
import { signedIn, uniqueEmail } from '#tests/helpers/people'

type Cleanup = (callback: () => void) => void

const CHANGES = {
  archive: ARCHIVE,
  unarchive: UNARCHIVE,
  read: READ,
  unread: UNREAD,
  snooze: snooze(DateTime.utc().plus({ hours: 1 })),
  wake: WAKE,
} satisfies Record<string, ItemChange>

type Step = { what: keyof typeof CHANGES | 'elapse' | 'arrive' | 'readAll'; item: number }

const hoursAgo = (hours: number) => DateTime.utc().minus({ hours })

/** A page that shows an inbox, and loses its connection again and again. */
class Page {
  readonly #email: string
  readonly #cleanup: Cleanup
  /** The items that it shows, with whether they have been read. */
  readonly #shown: Map<number, boolean>
  #lastId?: string
  #stream!: EventStream

  constructor(email: string, shown: Map<number, boolean>, cleanup: Cleanup) {
    this.#email = email
    this.#shown = shown
    this.#cleanup = cleanup
  }

  async connect() {
    const options = { lastEventId: this.#lastId }
    return (this.#stream = await followInbox(this.#email, this.#cleanup, options))
  }

  /**
   * The connection is lost, with what was on its way.
   * @param share of the events that arrived
   * @returns the items that it shows, with whether they have been read
   */
  disconnect(share: number) {
    this.#stream.close()
    const { events } = this.#stream
    for (const event of events.slice(0, Math.max(1, Math.round(share * events.length)))) {
      this.#receive(event)
    }
    return [...this.#shown].sort(([one], [other]) => one - other)
  }

  /** Messages come after everything else that was found with them. */
  async catchUp() {
    const { id } = await aNotification(this.#email)
    announceInboxNews()
    await eventually('the last one', () => notificationsIn(this.#stream).includes(id))
    return id
  }

  #receive({ id, event, data }: StreamedEvent) {
    this.#lastId = id ?? this.#lastId
    if (event === 'notification') this.#shown.set(data.id as number, data.readAt !== null)
    for (const item of (data.ids ?? []) as number[]) {
      if (event === 'archived' || event === 'snoozed') this.#shown.delete(item)
      else if (this.#shown.has(item)) this.#shown.set(item, event === 'read')
    }
  }
}

async function take({ what, item }: Step, email: string, ids: number[]) {
  const id = ids[item % ids.length]
  if (what === 'arrive') ids.push((await aNotification(email)).id)
  else if (what === 'readAll') await markAllRead(email)
  else if (what !== 'elapse') await changeItem(email, id, CHANGES[what])
  else {
    const now = DateTime.utc().toISO()
    await Notification.query().where({ id }).whereNotNull('snoozedUntil').update({
      snoozed_until: now,
    })
  }
}

async function listed(client: ApiClient, email: string) {
  const items = await inboxOf(signedIn(client, email), '?limit=200')
  const states = items.map(({ id, readAt }) => [id, readAt !== null] as [number, boolean])
  return states.sort(([one], [other]) => one - other)
}

async function oldItems(email: string, count: number): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) ids.push((await aNotification(email, { createdAt: hoursAgo(3) })).id)
  return ids
}

const kinds = [...Object.keys(CHANGES), 'elapse', 'arrive', 'readAll'] as Step['what'][]
const step = fc.record({ what: fc.constantFrom(...kinds), item: fc.nat({ max: 3 }) })
const session = fc.record({
  steps: fc.array(step, { maxLength: 9 }),
  isWatching: fc.boolean(),
  share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
})
const limits = fc.record({
  maxMarks: fc.integer({ min: 1, max: 8 }),
  changesAtATime: fc.integer({ min: 2, max: 12 }),
})

test.group('A client that resumes the stream of an inbox', (group) => {
  group.each.setup(() => {
    const former = { ...inboxConfig }
    inboxConfig.pauseMs = 1
    return () => void Object.assign(inboxConfig, former)
  })
  group.each.teardown(async () => {
    await eventually('no stream is left', () => inboxStreams.size === 0)
  })

  test('gets all later changes of an item with one that it gets again', async ({
    client,
    assert,
    cleanup,
  }) => {
    inboxConfig.maxMarks = 3
    const email = uniqueEmail()
    const [id, other] = await oldItems(email, 2)
    const page = new Page(email, new Map(await listed(client, email)), cleanup)
    const live = await page.connect()
    await changeItem(email, id, ARCHIVE)
    await changeItem(email, id, READ)
    await page.catchUp()
    await changeItem(email, id, UNARCHIVE)
    await changeItem(email, id, UNREAD)
    await changeItem(email, other, READ)
    // A message can overtake a change that is committed while both are read.
    await live.find(
      'the last change',
      ({ event, data }) => event === 'read' && (data.ids as number[]).includes(other)
    )
    const last = await page.catchUp()
    page.disconnect(1)

    const stream = await page.connect()
    const story = storyOf(stream)
    assert.deepEqual(
      story.filter((event) => event.includes(String(id))),
      [`archived ${id}`, `read ${id}`, `notification ${id}`, `unread ${id}`]
    )
    assert.notInclude(story, `read ${other}`)
    assert.notInclude(story, `notification ${last}`)
    assert.deepEqual(page.disconnect(1), await listed(client, email))
  })

  test('gets a change again that it got live before an older one', async ({ assert }) => {
    inboxConfig.pageSize = 1
    const email = uniqueEmail()
    const [id, other] = await oldItems(email, 2)
    const caller = { email, subject: email, expiresAt: Infinity, sessionId: undefined }
    const connection = new ServerResponse(new IncomingMessage(new Socket()))
    const position = { horizon: Date.now() - 60_000, marks: [] }
    const follower = new InboxFollower(caller, position, connection)
    const told: string[] = []
    follower.offer = (text) => void told.push(text)
    follower.goLive(() => follower.horizon)
    await changeItem(email, other, READ)
    await changeItem(email, id, READ)
    const texts = lackedTexts(follower)
    told.push((await texts.next()).value!)
    await changeItem(email, id, UNREAD)
    const changes = (await changesSince(email, 0, 0, 10)).slice(-1)
    const events = await eventsOf([{ email, changes, woken: [], arrived: [] }])
    follower.deliver([...events.values()].flat(), '', new Set())
    for await (const text of texts) told.push(text)
    const names = told.map((text) => /event: (.*)\ndata: (.*)/.exec(text)!.slice(1).join(' '))
    assert.deepEqual(names, [
      `read {"ids":[${other}]}`,
      `unread {"ids":[${id}]}`,
      `read {"ids":[${id}]}`,
      `unread {"ids":[${id}]}`,
    ])
  })

  test('always ends with the inbox as it is', async ({ client, assert, cleanup }) => {
    await fc.assert(
      fc.asyncProperty(limits, fc.array(session, { minLength: 1, maxLength: 6 }), (...plan) =>
        resumesRightly(client, assert, cleanup, ...plan)
      ),
      { numRuns: 25 }
    )
  }).timeout(300_000)
})

async function resumesRightly(
  client: ApiClient,
  assert: Assert,
  cleanup: Cleanup,
  limit: Partial<typeof inboxConfig>,
  sessions: { steps: Step[]; isWatching: boolean; share: number }[]
) {
  Object.assign(inboxConfig, limit)
  const email = uniqueEmail()
  const ids = await oldItems(email, 3)
  const page = new Page(email, new Map(await listed(client, email)), cleanup)
  for (const { steps, isWatching, share } of sessions) {
    await page.connect()
    if (!isWatching) page.disconnect(share)
    for (const each of steps) await take(each, email, ids)
    if (!isWatching) continue
    await page.catchUp()
    page.disconnect(share)
  }
  await page.connect()
  assert.deepEqual(page.disconnect(1), await listed(client, email))
}
