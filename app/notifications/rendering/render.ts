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

/** In characters. Mail programs cut off much shorter mails. */
export const MAX_RENDERED_LENGTH = 524_288

/** What one rendering can do, with or without a text to show for it (notifications.md#sections). */
const LIMITS = {
  repetitions: 10_000,
  /** Texts and placeholders */
  segments: 100_000,
  /** Of the paths that are looked up */
  names: 1_000_000,
  /** Of the values that are escaped, also if nothing is left of them */
  characters: 2 * MAX_RENDERED_LENGTH,
}

/**
 * Looks up and escapes each slot only once per repetition.
 * @param shown what is shown of a text in the data
 * @throws RenderedTooLarge
 */
export function render(
  segments: readonly Segment[],
  lookup: Lookup,
  shown = (text: string) => text
): string {
  const rendering = new Rendering(lookup, shown)
  rendering.add(segments, [])
  return rendering.text
}

type Path = readonly string[]

class Rendering {
  readonly #lookup: Lookup
  readonly #shown: (text: string) => string
  readonly #left = { ...LIMITS }
  text = ''

  constructor(lookup: Lookup, shown: (text: string) => string) {
    this.#lookup = lookup
    this.#shown = shown
  }

  /** @param places of the items around the segments, the innermost first */
  add(segments: readonly Segment[], places: readonly Path[]) {
    const texts = new Map<Slot, string>()
    for (const segment of segments) {
      this.#spend('segments', 1)
      if (typeof segment === 'string') this.text += segment
      else if ('segments' in segment) this.#addSection(segment, places)
      else this.text += this.#textIn(segment, places, texts)
      if (this.text.length > MAX_RENDERED_LENGTH) throw new RenderedTooLarge()
    }
  }

  #spend(what: keyof typeof LIMITS, count: number) {
    this.#left[what] -= count
    if (this.#left[what] < 0) throw new RenderedTooLarge()
  }

  #textIn(slot: Slot, places: readonly Path[], texts: Map<Slot, string>) {
    const cached = texts.get(slot)
    if (cached !== undefined) return cached
    const value = formatValue(this.#valueAt(this.#placeOf(slot.path, places)))
    this.#spend('characters', value.length)
    const text = slot.escape(this.#shown(value))
    texts.set(slot, text)
    return text
  }

  #valueAt(path: Path) {
    this.#spend('names', path.length)
    return this.#lookup({ path })
  }

  #addSection({ path, isInverted, segments }: Section, places: readonly Path[]) {
    const place = this.#placeOf(path, places)
    const value = this.#valueAt(place)
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
    this.#spend('repetitions', 1)
    this.add(segments, places)
  }

  /** A name means that of the innermost item that has it, or else of the data. */
  #placeOf(path: Path, places: readonly Path[]): Path {
    const [name] = path
    if (isServiceVariable(name)) return path
    const owner = places.find((place) => this.#valueAt([...place, name]) !== undefined)
    return owner ? [...owner, ...path] : path
  }
}
