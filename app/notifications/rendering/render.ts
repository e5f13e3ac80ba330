import { RenderedTooLarge } from '#app/notifications/exceptions'
import { textOf } from '#app/notifications/rendering/data_path'

/** A value to fill in: where to read it and how to write it. */
export interface Slot {
  name: string
  path: readonly string[]
  escape: (text: string) => string
}

export type Segment = string | Slot

/** Answers the value of a placeholder. */
export type Lookup = (slot: Slot) => unknown

/** In characters. Servers refuse much larger mails, and a few bytes of template must not blow up data without limit. */
export const MAX_RENDERED_LENGTH = 1_048_576

/**
 * Equal placeholders are one slot, which is looked up and escaped once: large data in many places
 * costs no more than what comes out of it.
 *
 * @throws RenderedTooLarge
 */
export function render(segments: readonly Segment[], lookup: Lookup): string {
  const texts = new Map<Slot, string>()
  const textIn = (slot: Slot) => {
    const known = texts.get(slot)
    if (known !== undefined) return known
    const text = slot.escape(textOf(lookup(slot)))
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
