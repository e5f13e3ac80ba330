import type { InboxItem, View } from '../types.ts'
import type { Page } from './api.ts'

interface List {
  items: InboxItem[]
  next: string | null | undefined
}

/** A message that was read stays among the unread ones until they are loaded again. */
export function belongsTo(view: View, { archivedAt, snoozedUntil }: InboxItem): boolean {
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now()
  if (view === 'archived') return archivedAt !== null
  return archivedAt === null && isSnoozed === (view === 'snoozed')
}

/** With the item, in the order of the service. */
export function withItem(items: InboxItem[], item: InboxItem): InboxItem[] {
  const others = items.filter(({ id }) => id !== item.id)
  return [...others, item].sort((a, b) => b.shownAt.localeCompare(a.shownAt) || b.id - a.id)
}

/** A first page that was read again, followed by the later pages if they connect to it. */
export function mergeFirstPage(list: List, page: Page): List {
  const last = page.items.at(-1)
  const seam = last ? list.items.findIndex(({ id }) => id === last.id) : -1
  if (seam < 0 || seam === list.items.length - 1) return page
  const ids = new Set(page.items.map(({ id }) => id))
  const rest = list.items.slice(seam + 1).filter(({ id }) => !ids.has(id))
  return { items: [...page.items, ...rest], next: list.next }
}
