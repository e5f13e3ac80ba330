import type { DateTime } from 'luxon'
import { byBytes } from '#core/values/byte_order'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { completeDigest } from '#app/notifications/values/digest_frequency'
import type { ValidPolicy } from '#app/policies/validators/policy_validator'
import type {
  PolicyAdministrator,
  PolicyDocument,
  PolicyEntity,
  PolicyGrant,
  PolicyNotificationType,
  PolicyOverride,
  PolicyPermission,
  PolicyRole,
  PolicyRoleAssignment,
  PolicyTemplate,
  PolicyVersion,
  PolicyWindow,
} from '#app/policies/values/policy_document'

/** Fills in what was left out, and sorts everything except variables. */
export function completePolicy(valid: ValidPolicy): PolicyDocument {
  const { application, permissions, roles, entities, notificationTypes, assignments } = valid
  return {
    application,
    permissions: sorted(permissions, completePermission, ({ code }) => [code]),
    roles: sorted(roles, completeRole, ({ code }) => [code]),
    entities: sorted(entities, completeEntity, ({ code }) => [code]),
    notificationTypes: sorted(notificationTypes, completeType, ({ code }) => [code]),
    assignments: assignments && {
      roles: sorted(assignments.roles, completeAssignment, ({ email, role }) => [email, role]),
      overrides: sorted(assignments.overrides, completeOverride, overrideKey),
      administrators: sorted(assignments.administrators, completeAdministrator, ({ email }) => [
        email,
      ]),
    },
  }
}

/** What identifies an override. */
const overrideKey = ({ email, resourceType, resourceId, permission }: PolicyOverride) => [
  email,
  resourceType,
  resourceId,
  permission,
]

type Valid<Section extends keyof ValidPolicy> = NonNullable<ValidPolicy[Section]>
type Listed<List> = NonNullable<List> extends (infer Item)[] ? Item : never
type ValidAssignments = Valid<'assignments'>

function sorted<Given, Item>(
  list: Given[] | undefined,
  complete: (given: Given) => Item,
  keyOf: (item: Item) => string[]
): Item[] | undefined {
  if (list === undefined) return undefined
  const items = list.map((given) => complete(given)).map((item) => ({ item, key: keyOf(item) }))
  return items.sort((a, b) => compareKeys(a.key, b.key)).map(({ item }) => item)
}

function compareKeys(a: string[], b: string[]): number {
  for (const [index, text] of a.entries()) {
    const order = byBytes(text, b[index])
    if (order !== 0) return order
  }
  return 0
}

const texts = ({
  name = null,
  description = null,
}: {
  name?: string | null
  description?: string | null
}) => ({
  name,
  description,
})

const completePermission = (given: Listed<Valid<'permissions'>>): PolicyPermission => ({
  code: given.code,
  ...texts(given),
  type: given.type,
  groupName: given.groupName ?? null,
  parent: given.parent ?? null,
  global: given.global ?? false,
})

const completeRole = (given: Listed<Valid<'roles'>>): PolicyRole => ({
  code: given.code,
  ...texts(given),
  permissions: sorted(given.permissions ?? [], completeGrant, ({ permission }) => [permission])!,
})

const completeGrant = ({
  permission,
  accessLevel,
  condition = null,
}: Listed<Listed<Valid<'roles'>>['permissions']>): PolicyGrant => ({
  permission,
  accessLevel,
  condition,
})

const completeEntity = (given: Listed<Valid<'entities'>>): PolicyEntity => ({
  code: given.code,
  name: given.name,
  description: given.description ?? null,
  idLabel: given.idLabel ?? null,
  listEndpoint: given.listEndpoint ?? null,
})

/** The defaults are those of notifications.md#type-fields. */
const completeType = (given: Listed<Valid<'notificationTypes'>>): PolicyNotificationType => ({
  code: given.code,
  name: given.name,
  description: given.description ?? null,
  emailEnabled: given.emailEnabled ?? true,
  pushEnabled: given.pushEnabled ?? true,
  userCanDisable: given.userCanDisable ?? true,
  defaultEmail: given.defaultEmail ?? true,
  defaultPush: given.defaultPush ?? true,
  selfServiceEnabled: given.selfServiceEnabled ?? true,
  urgent: given.urgent ?? false,
  digest: given.digest ? completeDigest(given.digest) : null,
  emailFromName: given.emailFromName ?? null,
  templates: sorted(given.templates ?? [], completeTemplate, ({ key }) => [key])!,
})

type ValidTemplate = Listed<Listed<Valid<'notificationTypes'>>['templates']>

const completeTemplate = (given: ValidTemplate): PolicyTemplate => ({
  key: given.key,
  name: given.name,
  description: given.description ?? null,
  variables: (given.variables ?? []).map(({ key, required, sensitive }) => {
    return { key, required, ...(sensitive && { sensitive }) }
  }),
  versions: sorted(given.versions ?? [], completeVersion, ({ locale }) => [locale])!,
})

const completeVersion = ({ locale, subjectTemplate, bodyTemplate }: PolicyVersion) => {
  return { locale, subjectTemplate, bodyTemplate }
}

interface ValidWindow {
  validFrom?: DateTime | null
  validUntil?: DateTime | null
}

const completeWindow = ({ validFrom = null, validUntil = null }: ValidWindow): PolicyWindow => ({
  validFrom: isoTimestamp(validFrom),
  validUntil: isoTimestamp(validUntil),
})

const completeAssignment = (given: Listed<ValidAssignments['roles']>): PolicyRoleAssignment => ({
  email: given.email,
  role: given.role,
  ...completeWindow(given),
})

const completeOverride = (given: Listed<ValidAssignments['overrides']>): PolicyOverride => ({
  email: given.email,
  resourceType: given.resourceType,
  resourceId: given.resourceId,
  permission: given.permission,
  granted: given.granted,
  accessLevel: given.accessLevel ?? null,
  condition: given.condition ?? null,
  ...completeWindow(given),
})

const completeAdministrator = (
  given: Listed<ValidAssignments['administrators']>
): PolicyAdministrator => ({ email: given.email, ...completeWindow(given) })
