import { ConciergeInbox } from './concierge_inbox.ts'

export type { ConciergeInbox } from './concierge_inbox.ts'
export type { InboxEventMap } from './events.ts'
export type { GetToken, InboxItem } from './types.ts'

declare global {
  interface HTMLElementTagNameMap {
    'concierge-inbox': ConciergeInbox
  }
}

// A page may load the script twice.
if (!customElements.get('concierge-inbox')) customElements.define('concierge-inbox', ConciergeInbox)
