import { DateTime } from 'luxon'
import { readBaseUrls } from '#app/inbox/actions/read_base_urls'
import { type InboxItem, readInboxItems } from '#app/inbox/queries/inbox_items'
import type { ChangeRow, ItemAt } from '#app/inbox/queries/news'
import { markOf } from '#app/inbox/stream/event_id'
import { type InboxEvent, formatEvent } from '#app/inbox/stream/inbox_follower'
import { inboxItemResource } from '#app/inbox/transformers/inbox_item_resource'

/** New rows for the inbox of one user. */
export interface InboxNews {
  email: string
  changes: ChangeRow[]
  woken: ItemAt[]
  arrived: ItemAt[]
}

/** The changes after which the inbox may show an item that it did not show before. */
const SHOWING = new Set<ChangeRow['kind']>(['appeared', 'unarchived', 'woken', 'snoozed'])

/** The ids of the items that these news may show. */
export function itemsIn({ changes, woken, arrived }: InboxNews): number[] {
  const changed = changes.filter(({ kind }) => SHOWING.has(kind)).flatMap(({ items }) => items)
  return [...new Set([...changed, ...[...woken, ...arrived].map(({ id }) => id)])]
}

/** Turns news into events, with the items as they are now (inbox.md#events). */
export async function eventsOf(all: InboxNews[]): Promise<Map<InboxNews, InboxEvent[]>> {
  const found = await readInboxItems([...new Set(all.flatMap(itemsIn))])
  const items = new Map(found.map((item) => [item.id, item]))
  const baseUrls = await readBaseUrls(found)
  const show = (item: InboxItem) => formatEvent('notification', inboxItemResource(item, baseUrls))
  return new Map(all.map((news) => [news, new EventBuilder(news, items, show).events]))
}

class EventBuilder {
  readonly events: InboxEvent[] = []
  readonly #email: string
  readonly #items: ReadonlyMap<number, InboxItem>
  readonly #show: (item: InboxItem) => string
  readonly #texts = new Map<number, string>()
  readonly #now = DateTime.utc()

  constructor(
    { email, changes, woken, arrived }: InboxNews,
    items: ReadonlyMap<number, InboxItem>,
    show: (item: InboxItem) => string
  ) {
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
      this.events.push({ mark, at, text: '', shows: this.#shown(items) })
      return
    }
    const visible = kind === 'snoozed' ? items.filter((item) => this.#isVisible(item)) : []
    const ids = items.filter((item) => !visible.includes(item))
    this.events.push({
      mark,
      at,
      text: ids.length > 0 ? formatEvent(kind, { ids }) : '',
      hides: kind === 'archived' || kind === 'snoozed' ? items : [],
      shows: this.#shown(visible),
      forgets: kind === 'snoozed' ? items.map((item) => markOf('wake', item)) : [],
    })
  }

  #add(kind: 'arrival' | 'wake', id: number, at: number) {
    this.events.push({ mark: markOf(kind, id), at, text: '', shows: this.#shown([id]) })
  }

  #shown(ids: number[]) {
    const visible = ids.filter((id) => this.#isVisible(id))
    return visible.map((id) => ({ id, text: this.#textOf(id) }))
  }

  #textOf(id: number): string {
    const text = this.#texts.get(id) ?? this.#show(this.#items.get(id)!)
    this.#texts.set(id, text)
    return text
  }

  /** Items of users who were erased meanwhile belong to nobody. */
  #isVisible(id: number): boolean {
    const item = this.#items.get(id)
    if (item?.email !== this.#email || item.archivedAt !== null) return false
    return item.snoozedUntil === null || item.snoozedUntil <= this.#now
  }
}
