/** A change that someone thinks about, in the words of the screens. Codes name everything. */
export interface Supposition {
  kind: Kind
  email: string
  role: string
  permission: string
  level: Level
  resourceType: string
  resourceId: string
}

export const KINDS = [
  'assign',
  'unassign',
  'grant',
  'override',
  'addAdministrator',
  'removeAdministrator',
  'deleteRole',
  'deletePermission',
] as const
export type Kind = (typeof KINDS)[number]

/** `none` takes away what there is; `deny` only exists for overrides. */
export const LEVELS = ['none', 'deny', 'view', 'edit', 'allowed'] as const
export type Level = (typeof LEVELS)[number]

type Field = Exclude<keyof Supposition, 'kind'>

/** What each kind is about. */
export const FIELDS: Record<Kind, Field[]> = {
  assign: ['email', 'role'],
  unassign: ['email', 'role'],
  grant: ['role', 'permission', 'level'],
  override: ['email', 'permission', 'resourceType', 'resourceId', 'level'],
  addAdministrator: ['email'],
  removeAdministrator: ['email'],
  deleteRole: ['role'],
  deletePermission: ['permission'],
}

export const NOTHING: Omit<Supposition, 'kind'> = {
  email: '',
  role: '',
  permission: '',
  level: 'none',
  resourceType: '',
  resourceId: '',
}

/** Only the fields that count, as in the URL. */
export const toText = (suppositions: Supposition[]) =>
  suppositions.length === 0
    ? ''
    : JSON.stringify(
        suppositions.map((one) => [one.kind, ...FIELDS[one.kind].map((field) => one[field])])
      )

/** How many a URL can say. */
export const MOST_SUPPOSITIONS = 50
const isOneOf = <Value extends string>(values: readonly Value[], text: string): text is Value =>
  (values as readonly string[]).includes(text)

/** What a URL says, without what makes no sense. */
export function fromText(text: string): Supposition[] {
  try {
    const rows: unknown = JSON.parse(text || '[]')
    return Array.isArray(rows) ? rows.slice(0, MOST_SUPPOSITIONS).flatMap(suppositionOf) : []
  } catch {
    return []
  }
}

function suppositionOf(row: unknown): Supposition[] {
  if (!Array.isArray(row)) return []
  const [kind = '', ...values] = row.map(String)
  if (!isOneOf(KINDS, kind) || values.length !== FIELDS[kind].length) return []
  const fields = Object.fromEntries(FIELDS[kind].map((field, index) => [field, values[index]]))
  const found: Supposition = { ...NOTHING, ...fields, kind }
  return isOneOf(LEVELS, found.level) ? [found] : []
}
