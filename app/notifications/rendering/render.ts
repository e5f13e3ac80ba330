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
const MAX_RENDERED_LENGTH = 1_048_576

/** @throws RenderedTooLarge */
export function render(segments: readonly Segment[], lookup: Lookup): string {
  let rendered = ''
  for (const segment of segments) {
    rendered += typeof segment === 'string' ? segment : segment.escape(textOf(lookup(segment)))
    if (rendered.length > MAX_RENDERED_LENGTH) throw new RenderedTooLarge()
  }
  return rendered
}
