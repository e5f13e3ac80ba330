import { DateTime } from 'luxon'
import { Turns } from '#core/values/turns'
import { readBaseUrls } from '#app/inbox/actions/read_base_urls'
import { type InboxItem, readInboxItems } from '#app/inbox/queries/inbox_items'
import type { ChangeRow } from '#app/inbox/queries/news'
import { markOf } from '#app/inbox/stream/event_id'
import { type InboxEvent, formatEvent } from '#app/inbox/stream/inbox_follower'
import { type InboxNews, itemsIn } from '#app/inbox/stream/inbox_news'
import { inboxItemResource } from '#app/inbox/transformers/inbox_item_resource'

/** Turns news into events, with the items as they are now (inbox.md#events). */
export async function eventsOf(all: InboxNews[]): Promise<Map<InboxNews, InboxEvent[]>> {
  const found = (await readInboxItems(itemsIn(all))).filter(isVisible)
  const baseUrls = await readBaseUrls(found)
  const items = new Map<number, VisibleItem>()
  const turns = new Turns()
  for (const item of found) {
    const text = formatEvent('notification', inboxItemResource(item, baseUrls))
    items.set(item.id, { email: item.email, text })
    if (turns.isOver) await turns.next()
  }
  return new Map(all.map((news) => [news, new EventBuilder(news, items).events]))
}

/** The events without what they show. They only say what a client knows. */
export const eventsWithoutItems = (news: InboxNews): InboxEvent[] =>
  new EventBuilder(news, new Map()).events

interface VisibleItem {
  email: string
  text: string
}

function isVisible({ archivedAt, snoozedUntil }: InboxItem): boolean {
  if (archivedAt !== null) return false
  return snoozedUntil === null || snoozedUntil <= DateTime.utc()
}

class EventBuilder {
  readonly events: InboxEvent[] = []
  readonly #email: string
  readonly #items: ReadonlyMap<number, VisibleItem>

  constructor(
    { email, changes, woken, arrived }: InboxNews,
    items: ReadonlyMap<number, VisibleItem>
  ) {
    this.#email = email
    this.#items = items
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
    return visible.map((id) => ({ id, text: this.#items.get(id)!.text }))
  }

  /** Items of users who were erased meanwhile belong to nobody. */
  #isVisible(id: number): boolean {
    return this.#items.get(id)?.email === this.#email
  }
}
