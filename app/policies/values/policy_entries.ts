/** What a policy consists of, in the order in which changes are listed. */
export type PolicyKind =
  | 'permission'
  | 'role'
  | 'entity'
  | 'notificationType'
  | 'template'
  | 'templateVersion'
  | 'roleAssignment'
  | 'override'
  | 'administrator'

/** One thing that a policy has. */
export interface PolicyEntry {
  kind: PolicyKind
  /** Its codes or addresses. Those of a template or version begin with what it belongs to. */
  key: string[]
  /** Its place in the document, such as `roles.2`. */
  place: string
  state: Record<string, unknown>
}

export const entryId = ({ kind, key }: Pick<PolicyEntry, 'kind' | 'key'>) =>
  JSON.stringify([kind, ...key])

/** A document, complete or as written. */
interface Sections {
  permissions?: { code: string }[]
  roles?: { code: string; permissions?: { permission: string }[] }[]
  entities?: { code: string }[]
  notificationTypes?: {
    code: string
    templates?: { key: string; versions?: { locale: string }[] }[]
  }[]
  assignments?: {
    roles?: { email: string; role: string }[]
    overrides?: { email: string; permission: string; resourceType: string; resourceId: string }[]
    administrators?: { email: string }[]
  }
}

/** The places of entries in a document, by `entryId`. */
export const placesOf = (document: Sections) =>
  new Map(entriesOf(document).map((entry) => [entryId(entry), entry.place]))

/** Everything in a document. */
export function entriesOf(document: Sections): PolicyEntry[] {
  const { permissions, roles, entities, assignments } = document
  return [
    ...listed('permission', 'permissions', permissions, ({ code, ...state }) => [[code], state]),
    ...listed('role', 'roles', roles, ({ code, permissions: granted = [], ...texts }) => {
      const grants = granted.map(({ permission, ...grant }) => [permission, grant])
      return [[code], { ...texts, permissions: Object.fromEntries(grants) }]
    }),
    ...listed('entity', 'entities', entities, ({ code, ...state }) => [[code], state]),
    ...typeEntries(document),
    ...listed('roleAssignment', 'assignments.roles', assignments?.roles, (row) => {
      const { email, role, ...state } = row
      return [[email, role], state]
    }),
    ...listed('override', 'assignments.overrides', assignments?.overrides, (row) => {
      const { email, permission, resourceType, resourceId, ...state } = row
      return [[email, permission, resourceType, resourceId], state]
    }),
    ...listed('administrator', 'assignments.administrators', assignments?.administrators, (row) => {
      const { email, ...state } = row
      return [[email], state]
    }),
  ]
}

function typeEntries({ notificationTypes = [] }: Sections): PolicyEntry[] {
  return notificationTypes.flatMap(({ code, templates = [], ...state }, nth) => {
    const place = `notificationTypes.${nth}`
    const below = templates.flatMap(({ key, versions = [], ...template }, index) => {
      const within = `${place}.templates.${index}`
      return [
        { kind: 'template' as const, key: [code, key], place: within, state: template },
        ...listed('templateVersion', `${within}.versions`, versions, ({ locale, ...texts }) => [
          [code, key, locale],
          texts,
        ]),
      ]
    })
    return [{ kind: 'notificationType' as const, key: [code], place, state }, ...below]
  })
}

function listed<Item>(
  kind: PolicyKind,
  list: string,
  items: Item[] | undefined,
  split: (item: Item) => [string[], object]
): PolicyEntry[] {
  return (items ?? []).map((item, index) => {
    const [key, state] = split(item)
    return { kind, key, place: `${list}.${index}`, state: { ...state } }
  })
}
