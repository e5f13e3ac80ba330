import type { Change } from '@/queries/changes'

type State = Change['before']

/** What happened to one field. */
export interface Difference {
  /** Its name, with those of the fields that it is in, such as `clerk.validUntil`. */
  field: string
  kind: 'added' | 'removed' | 'changed'
  /** Undefined if it was not there. */
  before: unknown
  after: unknown
}

/** What the audit trail keeps of a value that is too large. */
export interface Digest {
  sha256: string
  /** In characters of JSON. */
  length: number
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isDigest = (value: unknown): value is Digest =>
  isObject(value) && Object.keys(value).sort().join() === 'length,sha256'

/** Whether a value has fields of its own. */
export const isNested = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !isDigest(value)

/** Field by field what a change replaced, and with what. */
export function differencesOf({ before, after }: { before: State; after: State }): Difference[] {
  return namesOf(before, after).flatMap((name) => {
    const [former, current] = [before?.[name], after?.[name]]
    if (!isNested(former) || !isNested(current)) return differenceOf(name, former, current)
    return namesOf(former, current)
      .filter((key) => JSON.stringify(former[key]) !== JSON.stringify(current[key]))
      .map((key) => differenceOf(`${name}.${key}`, former[key], current[key]))
  })
}

const namesOf = (before: State, after: State) => [
  ...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]),
]

function differenceOf(field: string, before: unknown, after: unknown): Difference {
  if (before === undefined) return { field, kind: 'added', before, after }
  return { field, kind: after === undefined ? 'removed' : 'changed', before, after }
}
