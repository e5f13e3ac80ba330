import { DateTime } from 'luxon'
import { readBaseUrls } from '#app/inbox/actions/read_base_urls'
import { type ChangeRow, type ItemAt, readItems } from '#app/inbox/queries/news'
import { markOf } from '#app/inbox/stream/cursor'
import { type InboxEvent, formatEvent } from '#app/inbox/stream/inbox_follower'
import { inboxItemResource } from '#app/inbox/transformers/inbox_item_resource'
import type Notification from '#app/notifications/models/notification'

/** What is new in the inbox of one user. */
export interface InboxNews {
  email: string
  changes: ChangeRow[]
  woken: ItemAt[]
  arrived: ItemAt[]
}

/** Of changes after which the inbox may show an item that it did not show before. */
const SHOWING = new Set<ChangeRow['kind']>(['appeared', 'unarchived', 'woken', 'snoozed'])

/** The ids of the items that these news may show. */
export function itemsIn({ changes, woken, arrived }: InboxNews): number[] {
  const changed = changes.filter(({ kind }) => SHOWING.has(kind)).flatMap(({ items }) => items)
  return [...new Set([...changed, ...[...woken, ...arrived].map(({ id }) => id)])]
}

/**
 * Turns news into events, with the items as they are now (inbox.md#events). An item that two news
 * show is sent once.
 * @param shown the ids of the items that were sent, and will be
 */
export async function eventsOf(
  all: InboxNews[],
  shown = new Set<number>()
): Promise<Map<InboxNews, InboxEvent[]>> {
  const items = await readItems([...new Set(all.flatMap(itemsIn))])
  const baseUrls = await readBaseUrls([...items.values()])
  const show = (item: Notification) =>
    formatEvent('notification', inboxItemResource(item, baseUrls))
  return new Map(all.map((news) => [news, new EventBuilder(news, items, show, shown).events]))
}

class EventBuilder {
  readonly events: InboxEvent[] = []
  readonly #email: string
  readonly #items: ReadonlyMap<number, Notification>
  readonly #show: (item: Notification) => string
  readonly #shown: Set<number>
  readonly #now = DateTime.utc()

  constructor(
    { email, changes, woken, arrived }: InboxNews,
    items: ReadonlyMap<number, Notification>,
    show: (item: Notification) => string,
    shown: Set<number>
  ) {
    this.#shown = shown
    this.#email = email
    this.#items = items
    this.#show = show
    for (const change of changes) this.#addChange(change)
    for (const { id, at } of woken) this.#add('wake', id, at)
    for (const { id, at } of arrived) this.#add('arrival', id, at)
  }

  #addChange(change: ChangeRow) {
    const { id, kind, items, at } = change
    const mark = markOf('change', id)
    if (kind === 'appeared') {
      for (const item of items) this.#add('arrival', item, at)
      return
    }
    if (kind === 'unarchived' || kind === 'woken') {
      const text = items.map((item) => this.#textOf(item) ?? '').join('')
      this.events.push({ mark, at, text: text || null })
      return
    }
    const visible = kind === 'snoozed' ? items.filter((item) => this.#isVisible(item)) : []
    const ids = items.filter((item) => !visible.includes(item))
    const told = ids.length > 0 ? formatEvent(kind, { ids }) : ''
    const shown = visible.map((item) => this.#textOf(item) ?? '').join('')
    const forgets = kind === 'snoozed' ? items.map((item) => markOf('wake', item)) : undefined
    this.events.push({ mark, at, text: told + shown || null, forgets })
  }

  #add(kind: 'arrival' | 'wake', id: number, at: number) {
    this.events.push({ mark: markOf(kind, id), at, text: this.#textOf(id) })
  }

  #textOf(id: number): string | null {
    if (!this.#isVisible(id) || this.#shown.has(id)) return null
    this.#shown.add(id)
    return this.#show(this.#items.get(id)!)
  }

  /** Items of users who were erased meanwhile belong to nobody. */
  #isVisible(id: number): boolean {
    const item = this.#items.get(id)
    if (item?.email !== this.#email || item.archivedAt !== null) return false
    return item.snoozedUntil === null || item.snoozedUntil <= this.#now
  }
}
