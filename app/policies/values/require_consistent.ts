import { type FieldError, invalidFields } from '#core/exceptions/problems'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import { requireValidConditions } from '#app/permissions/actions/require_valid_conditions'
import { InvalidAccessLevel, InvalidParent } from '#app/permissions/exceptions'
import {
  type AccessLevel,
  type PermissionType,
  fitsOverride,
  fitsType,
} from '#app/permissions/values/access_level'
import { requireValidWindow, toWindow } from '#app/permissions/values/time_window'
import type { ValidPolicy } from '#app/policies/validators/policy_validator'

/** What a document can refer to without defining it. */
export interface Definitions {
  permissions: ReadonlyMap<string, { type: PermissionType }>
  roles: ReadonlySet<string>
}

const NO_DEFINITIONS: Definitions = {
  permissions: new Map(),
  roles: new Set(),
}

/**
 * Requires that what a document names exists and fits. Fields are those of the document as written.
 * Rules that are newer than stored overrides, which may break them, are checked only on changes.
 *
 * @param stored what exists beside the document
 * @throws ValidationError, ConditionInvalid, InvalidAccessLevel, InvalidParent, InvalidWindow
 */
export async function requireConsistent(policy: ValidPolicy, stored = NO_DEFINITIONS) {
  const defined = definitionsOf(policy, stored)
  requireReferences(policy, defined)
  requireTree(policy)
  for (const [index, { permissions }] of (policy.roles ?? []).entries()) {
    const list = `roles.${index}.permissions`
    await requireValidConditions(policy.application, permissions ?? [], list)
    for (const [place, { permission, accessLevel }] of (permissions ?? []).entries()) {
      const { type } = defined.permissions.get(permission)!
      requireLevel(fitsType(type, accessLevel), `${list}.${place}`, {
        permission,
        type,
        accessLevel,
      })
    }
  }
  await requireValidAssignments(policy, defined)
}

function definitionsOf({ permissions = [], roles = [] }: ValidPolicy, stored: Definitions) {
  const own = permissions.map(({ code, type }) => [code, { type }] as const)
  return {
    permissions: new Map([...stored.permissions, ...own]),
    roles: new Set([...stored.roles, ...roles.map(({ code }) => code)]),
  }
}

/** @throws ValidationError for unknown names and repeated assignments */
function requireReferences(policy: ValidPolicy, { permissions, roles }: Definitions) {
  const errors: FieldError[] = []
  const requireKnown = (known: { has(code: string): boolean }, code: string, field: string) => {
    if (known.has(code)) return
    errors.push({ field, rule: 'exists', message: `${field} is ${code}, which does not exist` })
  }
  for (const [index, { parent }] of (policy.permissions ?? []).entries()) {
    if (parent) requireKnown(permissions, parent, `permissions.${index}.parent`)
  }
  for (const [index, role] of (policy.roles ?? []).entries()) {
    for (const [place, { permission }] of (role.permissions ?? []).entries()) {
      requireKnown(permissions, permission, `roles.${index}.permissions.${place}.permission`)
    }
  }
  const { roles: held, overrides, administrators } = policy.assignments ?? {}
  for (const [index, { role }] of (held ?? []).entries()) {
    requireKnown(roles, role, `assignments.roles.${index}.role`)
  }
  for (const [index, { permission }] of (overrides ?? []).entries()) {
    requireKnown(permissions, permission, `assignments.overrides.${index}.permission`)
  }
  errors.push(
    ...repeated('roles', held, ({ email, role }) => [email, role]),
    ...repeated('overrides', overrides, (each) => {
      return [each.email, each.resourceType, each.resourceId, each.permission]
    }),
    ...repeated('administrators', administrators, ({ email }) => [email])
  )
  if (errors.length > 0) throw invalidFields(errors.slice(0, MAX_VALIDATION_ERRORS))
}

/** Addresses are compared in their canonical form. */
function repeated<Item>(list: string, items: Item[] = [], keyOf: (item: Item) => string[]) {
  const seen = new Set<string>()
  return items.flatMap((item, index): FieldError[] => {
    const key = JSON.stringify(keyOf(item))
    const field = `assignments.${list}.${index}`
    if (seen.has(key))
      return [{ field, rule: 'distinct', message: `${field} repeats an earlier item` }]
    seen.add(key)
    return []
  })
}

/** @throws InvalidParent if a permission of the document is its own ancestor */
function requireTree({ permissions = [] }: ValidPolicy) {
  const parents = new Map(permissions.map(({ code, parent }) => [code, parent ?? null]))
  const inTree = new Set<string>()
  for (const [index, { code }] of permissions.entries()) {
    const path = new Set<string>()
    for (let each: string | null = code; each !== null && !inTree.has(each);) {
      if (path.has(each)) {
        const details = { field: `permissions.${index}.parent`, parent: parents.get(code) }
        throw new InvalidParent({ details })
      }
      path.add(each)
      each = parents.get(each) ?? null
    }
    for (const each of path) inTree.add(each)
  }
}

async function requireValidAssignments(
  { application, assignments }: ValidPolicy,
  { permissions }: Definitions
) {
  const { roles = [], overrides = [], administrators = [] } = assignments ?? {}
  await requireValidConditions(application, overrides, 'assignments.overrides')
  for (const [index, { permission, accessLevel = null }] of overrides.entries()) {
    const { type } = permissions.get(permission)!
    const level = { permission, type, accessLevel }
    requireLevel(fitsOverride(type, accessLevel), `assignments.overrides.${index}`, level)
  }
  for (const [list, items] of Object.entries({ roles, overrides, administrators })) {
    for (const [index, window] of items.entries()) {
      requireValidWindow(toWindow(window), `assignments.${list}.${index}`)
    }
  }
}

interface Level {
  permission: string
  type: PermissionType
  accessLevel: AccessLevel | null
}

function requireLevel(fits: boolean, item: string, level: Level) {
  if (!fits) throw new InvalidAccessLevel({ details: { field: `${item}.accessLevel`, ...level } })
}
