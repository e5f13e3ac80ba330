import { MAX_PAGE_BYTES } from '#core/http/paging'
import { itemSizes } from '#app/inbox/queries/inbox_items'
import type { ChangeRow, ItemAt } from '#app/inbox/queries/news'
import inboxConfig from '#config/inbox'

/** New rows for the inbox of one user. */
export interface InboxNews {
  email: string
  changes: ChangeRow[]
  woken: ItemAt[]
  arrived: ItemAt[]
}

/** The changes after which the inbox may show an item that it did not show before. */
const SHOWING = new Set<ChangeRow['kind']>(['appeared', 'unarchived', 'woken', 'snoozed'])

export const countRows = ({ changes, woken, arrived }: InboxNews) =>
  changes.length + woken.length + arrived.length

/** The ids of the items that each row may show. */
function itemsOfRows({ changes, woken, arrived }: InboxNews): number[][] {
  const ofChanges = changes.map(({ kind, items }) => (SHOWING.has(kind) ? items : []))
  return [...ofChanges, ...[...woken, ...arrived].map(({ id }) => [id])]
}

/** The ids of the items that these news may show. */
export const itemsIn = (news: InboxNews[]) => [
  ...new Set(news.flatMap((each) => itemsOfRows(each).flat())),
]

/** The rows from one place to another, as `slice` of a list. */
export function sliceNews(news: InboxNews, from: number, to: number): InboxNews {
  const { email, changes, woken, arrived } = news
  const slice = <T>(rows: T[], first: number) =>
    rows.slice(Math.max(0, from - first), Math.max(0, to - first))
  return {
    email,
    changes: slice(changes, 0),
    woken: slice(woken, changes.length),
    arrived: slice(arrived, changes.length + woken.length),
  }
}

/** The first rows whose items are as small together as a page of the inbox, and at least one. */
export async function fittingNews(news: InboxNews[]): Promise<InboxNews[]> {
  const ids = itemsIn(news)
  const count = ids.length < 2 ? ids.length : await itemSizes.fitting(ids, MAX_PAGE_BYTES)
  if (count === ids.length) return news
  const fitting = new Set(ids.slice(0, count))
  const parts: InboxNews[] = []
  for (const each of news) {
    const end = itemsOfRows(each).findIndex((items) => items.some((id) => !fitting.has(id)))
    if (end === -1) {
      parts.push(each)
      continue
    }
    const rows = parts.length === 0 ? Math.max(1, end) : end
    if (rows > 0) parts.push(sliceNews(each, 0, rows))
    break
  }
  return parts
}

/** Parts whose items are read and sent together. */
export async function* partsOf(news: InboxNews): AsyncGenerator<InboxNews, void> {
  for (let start = 0; start < countRows(news);) {
    const [part] = await fittingNews([sliceNews(news, start, start + inboxConfig.pageSize)])
    start += countRows(part)
    yield part
  }
}
