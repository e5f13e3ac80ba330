import { secrets } from '#core/secrets'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import type { ComposedMessage } from '#app/notifications/actions/compose_message'

const PURPOSE = 'delivery.digest_item'

/** In characters. The whole message is in the inbox. */
const MAX_TEXT_LENGTH = 1_000
const MAX_URL_LENGTH = 2_048

/** What a digest says about a message. */
export interface DigestContent {
  subject: string
  text: string
  /** As in the data of the send */
  url: string | null
}

export function encryptDigestContent({ request }: ResolvedRequest, message: ComposedMessage) {
  const { url } = request.data ?? {}
  const content: DigestContent = {
    subject: message.subject,
    text: shortened(message.text.trim()),
    url: typeof url === 'string' && url.length <= MAX_URL_LENGTH ? url : null,
  }
  return secrets.encrypt(JSON.stringify(content), PURPOSE)
}

/** Null if it was encrypted with an unknown key. */
export function decryptDigestContent(sealed: string): DigestContent | null {
  const json = secrets.decrypt(sealed, PURPOSE)
  return json === null ? null : (JSON.parse(json) as DigestContent)
}

const shortened = (text: string) =>
  text.length <= MAX_TEXT_LENGTH
    ? text
    : `${text
        .slice(0, MAX_TEXT_LENGTH - 1)
        .toWellFormed()
        .trimEnd()}…`
