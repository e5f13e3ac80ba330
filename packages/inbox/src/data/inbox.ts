import type { InboxItem, View } from '../types.ts'
import type { Api } from './api.ts'
import { belongsTo, mergeFirstPage, withItem } from './lists.ts'

export type Loading = 'none' | 'first' | 'more' | 'failed'

/** How often a list is requested while messages keep changing. */
const MAX_READS = 5
/** The event does not say until when. */
const LATER = '9999-01-01T00:00:00.000Z'

interface Listener {
  /** Something to show has changed. */
  onChange(): void
  /** A message has arrived that was not known. */
  onArrival(item: InboxItem): void
}

/** What is known of a user's messages, and what the user does with them. */
export class Inbox {
  items: InboxItem[] = []
  unread = 0
  view: View = 'inbox'
  loading: Loading = 'none'
  /** The path of the next page; undefined before the first. */
  next: string | null | undefined

  readonly #api: () => Api
  readonly #listener: Listener
  /** The ids of the messages that are not new; null until the first page is there. */
  #known: Set<number> | null = null
  /** Grows with each view and user: answers for earlier ones are ignored. */
  #generation = 0
  /** Grows with each change: answers from before may lack it. */
  #changes = 0

  constructor(api: () => Api, listener: Listener) {
    this.#api = api
    this.#listener = listener
  }

  /** Forgets everything, as for another user. */
  clear() {
    this.#generation++
    this.#changes++
    Object.assign(this, { items: [], unread: 0, loading: 'none', next: undefined })
    this.#known = null
    this.#listener.onChange()
  }

  async show(view: View) {
    this.#generation++
    Object.assign(this, { view, items: [], next: undefined })
    await this.loadMore()
  }

  /** Loads the first page, or the next one. */
  async loadMore() {
    if (this.next === null) return
    const { next } = this
    const isBusy = this.loading === 'first' || this.loading === 'more'
    if (isBusy && next !== undefined) return
    const generation = this.#generation
    this.#setLoading(next === undefined ? 'first' : 'more')
    try {
      const page = await this.#read(() => this.#api().page(this.view, next))
      if (!page) return
      // Otherwise the list was replaced meanwhile.
      if (next === this.next) {
        const ids = new Set(page.items.map(({ id }) => id))
        this.items = [...this.items.filter(({ id }) => !ids.has(id)), ...page.items]
        this.next = page.next
        this.#know(page.items)
      }
      this.#setLoading('none')
    } catch {
      if (generation === this.#generation) this.#setLoading('failed')
    }
  }

  /** Reads the count and the first page again. @throws RequestFailed */
  async catchUp() {
    const isInbox = this.view === 'inbox'
    const answers = await this.#read(() =>
      Promise.all([
        this.#api().unreadCount(),
        this.#api().page(this.view),
        isInbox ? undefined : this.#api().page('inbox'),
      ])
    )
    if (!answers) return
    this.#changes++
    const [unread, page, newest] = answers
    this.unread = unread
    Object.assign(this, mergeFirstPage(this, page))
    if (this.loading === 'failed') this.loading = 'none'
    this.#announcePage((newest ?? page).items)
    this.#listener.onChange()
  }

  /** An event of the stream. */
  receive(name: string, data: unknown) {
    this.#changes++
    const now = new Date().toISOString()
    switch (name) {
      case 'notification':
        return this.#arrive(data as InboxItem)
      case 'unread-count':
        this.unread = (data as { count: number }).count
        return this.#listener.onChange()
      case 'read':
        return this.#changeAll(data, { readAt: now })
      case 'unread':
        return this.#changeAll(data, { readAt: null })
      case 'archived':
        return this.#leave(data, 'archived', { archivedAt: now, snoozedUntil: null })
      case 'snoozed':
        return this.#leave(data, 'snoozed', { snoozedUntil: LATER, archivedAt: null, readAt: null })
    }
  }

  setRead(item: InboxItem, isRead: boolean) {
    const readAt = isRead ? new Date().toISOString() : null
    return this.#change(item, { readAt }, () =>
      this.#api().change(item.id, isRead ? 'read' : 'unread')
    )
  }

  setArchived(item: InboxItem, isArchived: boolean) {
    const archivedAt = isArchived ? new Date().toISOString() : null
    return this.#change(item, { archivedAt, snoozedUntil: null }, () =>
      this.#api().change(item.id, isArchived ? 'archive' : 'unarchive')
    )
  }

  async snooze(item: InboxItem, until: Date | null) {
    const change = { snoozedUntil: until?.toISOString() ?? null, archivedAt: null, readAt: null }
    if (!until) this.#known?.add(item.id)
    await this.#change(item, change, () => this.#api().snooze(item.id, until))
    if (until) this.#known?.delete(item.id)
  }

  /** @throws RequestFailed */
  async readAll() {
    await this.#api().readAll()
    const ids = this.items.flatMap((item) =>
      item.archivedAt === null && item.snoozedUntil === null ? item.id : []
    )
    this.#changeAll({ ids }, { readAt: new Date().toISOString() })
    await this.catchUp()
  }

  /** Shows the change at once, and takes it back if it fails. @throws RequestFailed */
  async #change(item: InboxItem, change: Partial<InboxItem>, request: () => Promise<unknown>) {
    const generation = this.#generation
    const replace = (before: InboxItem, after: InboxItem) => {
      this.#changes++
      this.unread = Math.max(0, this.unread + countOf(after) - countOf(before))
      this.#put(after)
    }
    const after = { ...item, ...change }
    replace(item, after)
    try {
      await request()
    } catch (error) {
      if (generation === this.#generation) replace(after, item)
      throw error
    } finally {
      void this.#count()
    }
  }

  async #count() {
    const changes = ++this.#changes
    const unread = await this.#api()
      .unreadCount()
      .catch(() => undefined)
    // After another change, another count follows.
    if (unread === undefined || changes !== this.#changes) return
    this.unread = unread
    this.#listener.onChange()
  }

  /**
   * Asks again if messages have changed meanwhile: the answer may be older.
   * @returns undefined if the view or the user has changed
   */
  async #read<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    const generation = this.#generation
    for (let reads = 1; ; reads++) {
      const changes = this.#changes
      const answer = await ask()
      if (generation !== this.#generation) return undefined
      if (changes === this.#changes || reads === MAX_READS) return answer
    }
  }

  #arrive(item: InboxItem) {
    if (belongsTo(this.view, item) && this.next !== undefined) this.#put(item)
    else this.#remove(item.id)
    this.#announce(item)
    this.#listener.onChange()
  }

  #changeAll(data: unknown, change: Partial<InboxItem>) {
    const ids = new Set((data as { ids: number[] }).ids)
    this.items = this.items
      .map((item) => (ids.has(item.id) ? { ...item, ...change } : item))
      .filter((item) => belongsTo(this.view, item))
    this.#listener.onChange()
  }

  /** Messages that now belong to this view only. */
  #leave(data: unknown, view: View, change: Partial<InboxItem>) {
    // When a snooze ends, the message arrives again.
    for (const id of (data as { ids: number[] }).ids) {
      if (view === 'snoozed') this.#known?.delete(id)
      else this.#known?.add(id)
    }
    this.#changeAll(data, change)
    if (this.view === view) void this.catchUp().catch(() => {})
  }

  #put(item: InboxItem) {
    if (belongsTo(this.view, item)) this.items = withItem(this.items, item)
    else this.#remove(item.id)
    this.#listener.onChange()
  }

  #remove(id: number) {
    this.items = this.items.filter((item) => item.id !== id)
  }

  /** Announces those of the newest messages that are above the first known one. */
  #announcePage(items: InboxItem[]) {
    const known = this.#known
    if (!known) return this.#know(items)
    const first = items.findIndex(({ id }) => known.has(id))
    // If none is known, older ones may have moved up.
    const isFirstEver = known.size === 0
    const added = isFirstEver ? items : items.slice(0, Math.max(first, 0))
    for (const item of added.toReversed()) this.#announce(item)
    this.#know(items)
  }

  #announce(item: InboxItem) {
    if (this.#known?.has(item.id)) return
    this.#know([item])
    if (item.readAt === null) this.#listener.onArrival(item)
  }

  #know(items: InboxItem[]) {
    const known = (this.#known ??= new Set())
    // What is snoozed arrives again.
    for (const { id, snoozedUntil } of items) if (!snoozedUntil) known.add(id)
  }

  #setLoading(loading: Loading) {
    this.loading = loading
    this.#listener.onChange()
  }
}

const countOf = ({ readAt, archivedAt, snoozedUntil }: InboxItem) =>
  readAt === null && archivedAt === null && snoozedUntil === null ? 1 : 0
