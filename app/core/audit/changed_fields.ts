import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AuditState, Change } from '#core/audit/change'

/** Of a field, as JSON. */
const MAX_FIELD_LENGTH = 16_384
/** Of all fields of a state, as JSON. */
const MAX_STATE_LENGTH = 131_072
/** They change with everything else. */
const TIMESTAMPS = new Set(['createdAt', 'updatedAt'])

type States = Pick<Change, 'before' | 'after'>

/**
 * Leaves the fields that differ. Large ones are represented by their digest (audit.md#states).
 * @returns null if nothing differs
 */
export function changedFields({ before, after }: States): States | null {
  if (before === null || after === null) {
    return { before: before && bounded(shown(before)), after: after && bounded(shown(after)) }
  }
  const [former, current] = [shown(before), shown(after)]
  const names = new Set([...Object.keys(former), ...Object.keys(current)])
  const changed = [...names].filter((name) => !isDeepStrictEqual(former[name], current[name]))
  if (changed.length === 0) return null
  return { before: bounded(pick(former, changed)), after: bounded(pick(current, changed)) }
}

/** Keys such as codes of permissions can have the same names. */
const isTimestamp = ([name, value]: [string, unknown]) =>
  TIMESTAMPS.has(name) && (typeof value === 'string' || value === null)

/** As JSON shows it, so that equal states are equal. */
function shown(state: AuditState): AuditState {
  const json = JSON.parse(JSON.stringify(state)) as AuditState
  return Object.fromEntries(Object.entries(json).filter((field) => !isTimestamp(field)))
}

function pick(state: AuditState, names: string[]): AuditState {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(state, name) ? [[name, state[name]]] : []))
  )
}

function bounded(state: AuditState): AuditState {
  const fields = Object.entries(state).map(([name, value]) => ({
    name,
    value,
    json: JSON.stringify(value),
  }))
  const total = fields.reduce((sum, { json }) => sum + json.length, 0)
  const limit = total > MAX_STATE_LENGTH ? 0 : MAX_FIELD_LENGTH
  return Object.fromEntries(
    fields.map(({ name, value, json }) => [name, json.length > limit ? digestOf(json) : value])
  )
}

/** Shows whether a value is the same, without containing it. */
const digestOf = (json: string) => ({
  sha256: createHash('sha256').update(json).digest('hex'),
  length: json.length,
})
