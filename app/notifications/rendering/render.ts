import { RenderedTooLarge } from '#app/notifications/exceptions'
import { formatValue } from '#app/notifications/rendering/format_value'

export interface Slot {
  name: string
  path: readonly string[]
  escape: (text: string) => string
}

export type Segment = string | Slot

export type Lookup = (slot: Slot) => unknown

/** In characters. Mail servers reject much larger mails. */
export const MAX_RENDERED_LENGTH = 1_048_576

/** Looks up and escapes each slot only once. @throws RenderedTooLarge */
export function render(segments: readonly Segment[], lookup: Lookup): string {
  const texts = new Map<Slot, string>()
  const textIn = (slot: Slot) => {
    const cached = texts.get(slot)
    if (cached !== undefined) return cached
    const text = slot.escape(formatValue(lookup(slot)))
    texts.set(slot, text)
    return text
  }
  let rendered = ''
  for (const segment of segments) {
    rendered += typeof segment === 'string' ? segment : textIn(segment)
    if (rendered.length > MAX_RENDERED_LENGTH) throw new RenderedTooLarge()
  }
  return rendered
}
