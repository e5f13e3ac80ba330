/** See delivery.md#push-payload. */
export interface PushContent {
  title: string
  body: string
  icon: string | null
  url: string | null
}

/** Push services accept at least 4,096 bytes, including encryption (RFC 8030, RFC 8291). */
export const MAX_PAYLOAD_BYTES = 3_900
export const MAX_BODY_LENGTH = 200

/** Shortens the body if needed, then the title, and drops icon and link as a last resort. */
export function pushPayload(content: PushContent): string {
  const full = { ...content, body: cut(content.body.trim(), MAX_BODY_LENGTH) }
  if (fits(full)) return JSON.stringify(full)
  const withBody = shorten(full, 'body') ?? shorten({ ...full, body: '' }, 'title')
  if (withBody) return JSON.stringify(withBody)
  return pushPayload({ ...full, title: cut(full.title, MAX_BODY_LENGTH), icon: null, url: null })
}

/** Keeps as much of a field as fits. Null if the payload does not fit even without it. */
function shorten(content: PushContent, field: 'body' | 'title'): PushContent | null {
  const characters = [...content[field]]
  let [low, high] = [-1, characters.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const fitting = fits({ ...content, [field]: characters.slice(0, middle).join('') })
    if (fitting) low = middle
    else high = middle - 1
  }
  return low < 0 ? null : { ...content, [field]: characters.slice(0, low).join('') }
}

const fits = (content: PushContent) =>
  Buffer.byteLength(JSON.stringify(content)) <= MAX_PAYLOAD_BYTES

/** Never splits a surrogate pair. */
const cut = (text: string, length: number) => {
  const short = text.slice(0, length)
  return short.isWellFormed() ? short : short.slice(0, -1)
}
