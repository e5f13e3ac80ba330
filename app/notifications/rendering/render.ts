import { RenderedTooLarge } from '#app/notifications/exceptions'
import { formatValue } from '#app/notifications/rendering/format_value'
import { isServiceVariable } from '#app/notifications/values/service_variables'

export interface Slot {
  name: string
  path: readonly string[]
  escape: (text: string) => string
}

/** Repeated for each item of a list (notifications.md#sections). */
export interface Section {
  path: readonly string[]
  /** Shown if there is nothing to repeat */
  isInverted: boolean
  segments: Segment[]
}

export type Segment = string | Slot | Section

/** The value at a path from the top of the data. */
export type Lookup = (at: { path: readonly string[] }) => unknown

/** In characters. Mail servers reject much larger mails. */
export const MAX_RENDERED_LENGTH = 1_048_576

/** Of sections in one message, with or without text. */
const MAX_REPETITIONS = 10_000
/** Of texts and placeholders in one message: those without a value add no length. */
const MAX_SEGMENTS = 100_000

/** Looks up and escapes each slot only once per repetition. @throws RenderedTooLarge */
export function render(segments: readonly Segment[], lookup: Lookup): string {
  const rendering = new Rendering(lookup)
  rendering.add(segments, [])
  return rendering.text
}

type Path = readonly string[]

class Rendering {
  readonly #lookup: Lookup
  #repetitions = 0
  #segments = 0
  text = ''

  constructor(lookup: Lookup) {
    this.#lookup = lookup
  }

  /** @param places of the items around the segments, the innermost first */
  add(segments: readonly Segment[], places: readonly Path[]) {
    const texts = new Map<Slot, string>()
    for (const segment of segments) {
      if (++this.#segments > MAX_SEGMENTS) throw new RenderedTooLarge()
      if (typeof segment === 'string') this.text += segment
      else if ('segments' in segment) this.#addSection(segment, places)
      else this.text += this.#textIn(segment, places, texts)
      if (this.text.length > MAX_RENDERED_LENGTH) throw new RenderedTooLarge()
    }
  }

  #textIn(slot: Slot, places: readonly Path[], texts: Map<Slot, string>) {
    const cached = texts.get(slot)
    if (cached !== undefined) return cached
    const value = this.#lookup({ path: this.#placeOf(slot.path, places) })
    const text = slot.escape(formatValue(value))
    texts.set(slot, text)
    return text
  }

  #addSection({ path, isInverted, segments }: Section, places: readonly Path[]) {
    const place = this.#placeOf(path, places)
    const value = this.#lookup({ path: place })
    const isEmpty = Array.isArray(value) ? value.length === 0 : !value
    if (isEmpty || isInverted) {
      if (isEmpty === isInverted) this.#repeat(segments, places)
    } else if (Array.isArray(value)) {
      for (const index of value.keys()) this.#repeat(segments, [[...place, `${index}`], ...places])
    } else {
      this.#repeat(segments, typeof value === 'object' ? [place, ...places] : places)
    }
  }

  #repeat(segments: readonly Segment[], places: readonly Path[]) {
    if (++this.#repetitions > MAX_REPETITIONS) throw new RenderedTooLarge()
    this.add(segments, places)
  }

  /** A name means that of the innermost item that has it, or else of the data. */
  #placeOf(path: Path, places: readonly Path[]): Path {
    const [name] = path
    if (isServiceVariable(name)) return path
    const owner = places.find((place) => this.#lookup({ path: [...place, name] }) !== undefined)
    return owner ? [...owner, ...path] : path
  }
}
