import { isDeepStrictEqual } from 'node:util'
import { Turns } from '#core/values/turns'
import {
  type PolicyEntry,
  type PolicyKind,
  entriesOf,
  entryId,
} from '#app/policies/values/policy_entries'
import type { PolicyDocument } from '#app/policies/values/policy_document'

type State = Record<string, unknown>

/** One difference between what is stored and a document. */
export interface PolicyChange {
  kind: PolicyKind
  key: string[]
  action: 'add' | 'change' | 'remove'
  /** The fields that differ; null for something new. */
  before: State | null
  /** The fields that differ; null for something that is removed. */
  after: State | null
}

/** Every application has it, so it is never removed. */
const GENERIC_TYPE = 'generic'

/**
 * Finds the changes that turn the stored policy into the document.
 *
 * @param prune whether to remove what is not in a section of the document
 */
export async function comparePolicies(
  stored: PolicyDocument,
  wanted: PolicyDocument,
  { prune = false }: { prune?: boolean } = {}
): Promise<PolicyChange[]> {
  const turns = new Turns()
  const existing = new Map(entriesOf(stored).map((entry) => [entryId(entry), entry]))
  if (turns.isOver) await turns.next()
  const kept = new Map(entriesOf(wanted).map((entry) => [entryId(entry), entry]))
  const changes: PolicyChange[] = []
  for (const [id, entry] of kept) {
    if (turns.isOver) await turns.next()
    changes.push(...difference(existing.get(id), entry))
  }
  if (!prune) return changes
  const lacking = [...existing].filter(([id]) => !kept.has(id)).map(([, entry]) => entry)
  const removed = lacking.filter((entry) => isRemovable(entry, wanted))
  const gone = new Set(removed.map(entryId))
  return [
    // Whatever belongs to a removed entry is removed with it.
    ...removed.filter((entry) => !parentsOf(entry).some((parent) => gone.has(parent))).map(removal),
    ...changes,
  ]
}

function difference(
  before: PolicyEntry | undefined,
  { kind, key, state }: PolicyEntry
): PolicyChange[] {
  if (!before) return [{ kind, key, action: 'add', before: null, after: state }]
  const fields = changedFields(before.state, state)
  return fields === null ? [] : [{ kind, key, action: 'change', ...fields }]
}

const removal = ({ kind, key, state }: PolicyEntry): PolicyChange => {
  return { kind, key, action: 'remove', before: state, after: null }
}

/** A section that the document does not have stays as it is. */
function isRemovable({ kind, key }: PolicyEntry, { assignments, ...document }: PolicyDocument) {
  switch (kind) {
    case 'permission':
      return document.permissions !== undefined
    case 'role':
      return document.roles !== undefined
    case 'entity':
      return document.entities !== undefined
    case 'notificationType':
      return document.notificationTypes !== undefined && key[0] !== GENERIC_TYPE
    case 'template':
    case 'templateVersion':
      return document.notificationTypes !== undefined
    case 'roleAssignment':
      return assignments?.roles !== undefined
    case 'override':
      return assignments?.overrides !== undefined
    case 'administrator':
      return assignments?.administrators !== undefined
  }
}

function parentsOf({ kind, key }: PolicyEntry): string[] {
  if (kind === 'template') return [entryId({ kind: 'notificationType', key: key.slice(0, 1) })]
  if (kind !== 'templateVersion') return []
  const template = { kind: 'template' as const, key: key.slice(0, 2) }
  return [entryId({ kind: 'notificationType', key: key.slice(0, 1) }), entryId(template)]
}

/** The fields that differ, and within objects only the entries that differ; null if none do. */
function changedFields(before: State, after: State): { before: State; after: State } | null {
  const changed: { before: State; after: State } = { before: {}, after: {} }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [former, current] = [before[name], after[name]]
    if (isDeepStrictEqual(former, current)) continue
    const inside = isMap(former) && isMap(current) ? changedFields(former, current) : null
    if (former !== undefined) changed.before[name] = inside ? inside.before : former
    if (current !== undefined) changed.after[name] = inside ? inside.after : current
  }
  const isChanged = Object.keys({ ...changed.before, ...changed.after }).length > 0
  return isChanged ? changed : null
}

const isMap = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
