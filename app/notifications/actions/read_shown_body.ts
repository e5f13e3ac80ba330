import { isDeepStrictEqual } from 'node:util'
import { readMaskedPayload } from '#app/notifications/actions/read_masked_payload'
import type Notification from '#app/notifications/models/notification'

export interface ShownBody {
  subject: string
  text: string | null
  html: string | null
  /** Whether there are texts that only the recipient sees */
  isHidden: boolean
}

/** What was rendered, as administrators see it: a body that may quote secret values is hidden. */
export async function readShownBody(notification: Notification): Promise<ShownBody> {
  const { subject, bodyText, bodyHtml, payload } = notification
  const isShown = isDeepStrictEqual(await readMaskedPayload(notification), payload)
  return {
    subject,
    text: isShown ? bodyText : null,
    html: isShown ? bodyHtml : null,
    isHidden: !isShown && (bodyText !== null || bodyHtml !== null),
  }
}
