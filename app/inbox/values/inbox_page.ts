import { DateTime } from 'luxon'
import { type Page, type PageRequest, cursorOf, pageOf } from '#core/http/paging'
import type { InboxItem } from '#app/inbox/queries/inbox_items'

/** A page of the inbox. Its place is known even when the last item of the one before is gone. */
export interface InboxPage extends Page {
  /** When that item appeared; absent in cursors from before 0.3. */
  afterAt?: DateTime
}

const CURSOR = /^([\w-]+)\.([\da-z]{1,9})$/

/** @throws ValidationError for a cursor that this service did not issue */
export function inboxPageOf({ cursor, ...request }: PageRequest): InboxPage {
  const [, id, at] = CURSOR.exec(cursor ?? '') ?? []
  const page = pageOf({ ...request, cursor: id ?? cursor })
  if (at === undefined) return page
  return { ...page, afterAt: DateTime.fromMillis(Number.parseInt(at, 36), { zone: 'utc' }) }
}

/** @param last the last item of a page */
export const inboxCursor = ({
  id,
  shownAt,
  createdAt,
}: Pick<InboxItem, 'id' | 'shownAt' | 'createdAt'>) =>
  `${cursorOf('id', id)}.${(shownAt ?? createdAt).toMillis().toString(36)}`
