import { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { httpLink } from '#app/applications/values/http_link'
import type { BaseUrls } from '#app/inbox/actions/read_base_urls'
import type { InboxItem } from '#app/inbox/queries/inbox_items'

/** See inbox.md#items. @param baseUrls of the applications, for relative links */
export function inboxItemResource(item: InboxItem, baseUrls: BaseUrls) {
  const isSnoozed = item.snoozedUntil !== null && item.snoozedUntil > DateTime.utc()
  return {
    id: item.id,
    appCode: item.appCode,
    appName: item.appName,
    type: item.type,
    subject: item.subject,
    /** Null if nothing was rendered, and in items from before 0.3. */
    body: {
      text: item.bodyText,
      /** A fragment without scripts, styles and forms; null also if it is longer than 64 KiB. */
      html: item.bodyHtml,
    },
    /** Where the item leads: `url` of the data of the send. */
    url: linkOf(item, baseUrls),
    status: item.status,
    statusReason: item.statusReason,
    locale: item.locale,
    readAt: isoTimestamp(item.readAt),
    archivedAt: isoTimestamp(item.archivedAt),
    /** Until when the item is hidden; null if it is not. */
    snoozedUntil: isoTimestamp(isSnoozed ? item.snoozedUntil : null),
    createdAt: isoTimestamp(item.createdAt),
    /** When the item appeared. The inbox lists items by this time. */
    shownAt: isoTimestamp(item.shownAt ?? item.createdAt),
    payload: item.payload,
  }
}

function linkOf({ appCode, payload, createdAt }: InboxItem, baseUrls: BaseUrls): string | null {
  const { url } = payload
  if (typeof url !== 'string') return null
  const base = baseUrls.get(appCode)
  return httpLink(url) ?? (base && createdAt >= base.since ? httpLink(url, base.url) : null)
}
