import type { ShownBody } from '#app/notifications/actions/read_shown_body'

/** See delivery.md#message-bodies. */
export function messageBodyResource({ subject, text, html, isHidden }: ShownBody) {
  return {
    subject,
    /** Null if there is none, or it is hidden */
    text,
    /** A fragment without the layout of mails; null if there is none, or it is hidden */
    html,
    /** Whether the texts are left out because they may quote sensitive values */
    hidden: isHidden,
  }
}
