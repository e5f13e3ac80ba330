import { Turns } from '#core/values/turns'
import type { PolicyDocument } from '#app/policies/values/policy_document'

/** A document in which fields with their default are left out. */
export type Written<Item> = {
  [Name in keyof Item]?: Exclude<Item[Name], null | undefined> extends (infer Entry)[]
    ? Written<Entry>[]
    : Item[Name] extends object | undefined
      ? Written<NonNullable<Item[Name]>>
      : Exclude<Item[Name], null>
}

export interface ExportedPolicy extends Written<Omit<PolicyDocument, 'application'>> {
  application: string
}

/** Fields that are true unless a document says otherwise. */
const TRUE_BY_DEFAULT = new Set([
  'emailEnabled',
  'pushEnabled',
  'userCanDisable',
  'defaultEmail',
  'defaultPush',
  'selfServiceEnabled',
])
/** `granted` and `required` have no default. */
const FALSE_BY_DEFAULT = new Set(['global', 'sensitive', 'urgent'])
/** Lists inside an entry, which are empty by default. */
const EMPTY_BY_DEFAULT = new Set(['variables', 'templates', 'versions'])

/** The document as it is exported: without fields that have their default. */
export async function writtenPolicy(document: PolicyDocument): Promise<ExportedPolicy> {
  const { application, ...sections } = document
  const turns = new Turns()
  const policy: Record<string, unknown> = {}
  for (const [name, section] of Object.entries(sections)) {
    if (section === undefined) continue
    policy[name] = written(section)
    if (turns.isOver) await turns.next()
  }
  return { application, ...policy }
}

function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== 'object' || value === null) return value
  const said = Object.entries(value).filter(([name, field]) => !isDefault(name, field))
  return Object.fromEntries(said.map(([name, field]) => [name, written(field)]))
}

function isDefault(name: string, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (TRUE_BY_DEFAULT.has(name)) return value === true
  if (FALSE_BY_DEFAULT.has(name)) return value === false
  return EMPTY_BY_DEFAULT.has(name) && Array.isArray(value) && value.length === 0
}
