import { invalidField } from '#core/exceptions/problems'

/**
 * What a client has received: everything until the horizon, and the marked events since then. The
 * horizon is so long ago that no transaction of that time can still commit.
 */
export interface StreamPosition {
  /** In milliseconds since 1970. */
  horizon: number
  /** Keys of events: `N`, `C` or `W`, and an id in base 36. */
  marks: string[]
}

const FORMAT = /^1\.([\da-z]{1,9})\.((?:[NCW][\da-z]{1,11})*)$/
const MARK = /[NCW][\da-z]+/g
const MAX_LENGTH = 8_192

export type MarkKind = 'arrival' | 'change' | 'wake'

const PREFIXES: Record<MarkKind, string> = { arrival: 'N', change: 'C', wake: 'W' }

export const markOf = (kind: MarkKind, id: number) => PREFIXES[kind] + id.toString(36)

/** Whether a mark is one of a change with a higher id. */
export const isChangeAfter = (id: number, mark: string) =>
  mark.startsWith(PREFIXES.change) && Number.parseInt(mark.slice(1), 36) > id

/** @param marks one after the other */
export const formatEventId = (horizon: number, marks: string) =>
  `1.${horizon.toString(36)}.${marks}`

/** @param field where it was given @throws ValidationError for what this service did not issue */
export function parseEventId(text: string, field: string): StreamPosition {
  const [, horizon, marks = ''] = (text.length <= MAX_LENGTH && FORMAT.exec(text)) || []
  if (horizon === undefined) {
    throw invalidField(field, 'eventId', `${field} must be the id of an event of this stream`)
  }
  return { horizon: Number.parseInt(horizon, 36), marks: marks.match(MARK) ?? [] }
}
