import type { InboxItem } from './types.ts'

/** What `<concierge-inbox>` tells the page. The events do not bubble. */
export interface InboxEventMap {
  /** A message has arrived while the page was open. */
  'notification': CustomEvent<{ item: InboxItem }>
  /** The user looks at a message. */
  'open': CustomEvent<{ item: InboxItem }>
  /** The user follows the link of a message; `preventDefault()` leaves it to the page. */
  'navigate': CustomEvent<{ item: InboxItem; url: string }>
  /** The number of unread messages has changed. */
  'unread-count': CustomEvent<{ count: number }>
  /** The panel was opened or closed. */
  'toggle': CustomEvent<{ isOpen: boolean }>
  /** The service could not be reached or refused a request, or `getToken` failed. */
  'problem': CustomEvent<{ error: unknown }>
}
