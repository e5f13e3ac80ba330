import type { OverrideFacts } from '#app/checks/values/access_facts'
import type { Comparer, Comparison } from '#app/checks/previews/comparison'
import { withOverrides } from '#app/checks/previews/comparison'
import type { Definitions } from '#app/checks/previews/definitions'
import type { Judge } from '#app/checks/previews/judge'
import { byName } from '#app/checks/previews/resource_space'
import { type ComparedRights, type ResourceName, keyOf } from '#app/checks/previews/rights'
import type { Verdict } from '#app/checks/previews/verdict'
import { byBytes } from '#core/values/byte_order'

/** One permission of one user: a comparison, and the resources on which overrides count. */
export interface ComparedPermission {
  user: ComparedRights
  comparison: Comparison
  /** By `keyOf`, in their order. */
  exceptions: Map<string, Exception>
}

export interface Exception {
  resource: ResourceName
  /** Null if the same rows decide, before and after. */
  verdict: Verdict | null
}

interface Sides {
  before: Definitions
  after: Definitions
}

/** The permissions of a user whose decisions can differ, by code. */
export function compareUser(
  user: ComparedRights,
  { comparer, definitions, judge }: { comparer: Comparer; definitions: Sides; judge: Judge }
): ComparedPermission[] {
  const { before, after } = user
  const comparisons = comparer.compare(before, after)
  const overridden = overridesByPermission(user, definitions)
  if (overridden.size === 0) {
    return comparisons.map((comparison) => ({ user, comparison, exceptions: NONE }))
  }
  const known = new Set(comparisons.map(({ permission }) => permission))
  for (const permission of overridden.keys()) {
    if (!known.has(permission)) comparisons.push(comparer.of(permission, before, after))
  }
  comparisons.sort((a, b) => byBytes(a.permission, b.permission))
  return comparisons.map((comparison) => ({
    user,
    comparison,
    exceptions: judgeExceptions(user, comparison, overridden.get(comparison.permission), judge),
  }))
}

const NONE: Map<string, Exception> = new Map()

interface OverriddenResource {
  resource: ResourceName
  before: OverrideFacts | null
  after: OverrideFacts | null
}

type OverriddenResources = Map<string, OverriddenResource>

function overridesByPermission({ before, after }: ComparedRights, definitions: Sides) {
  const found = new Map<string, OverriddenResources>()
  for (const side of ['before', 'after'] as const) {
    for (const override of (side === 'before' ? before : after).overrides) {
      const permission = definitions[side].permissions.get(override.permissionId)?.code
      if (permission === undefined) continue
      const resources = found.get(permission) ?? new Map<string, OverriddenResource>()
      found.set(permission, resources)
      const { resource } = override
      const key = keyOf(resource)
      const overridden = resources.get(key) ?? { resource, before: null, after: null }
      resources.set(key, { ...overridden, [side]: override })
    }
  }
  return found
}

function judgeExceptions(
  user: ComparedRights,
  comparison: Comparison,
  resources: OverriddenResources | undefined,
  judge: Judge
): Map<string, Exception> {
  if (!resources) return NONE
  const inOrder = [...resources].sort(([, a], [, b]) => byName(a.resource, b.resource))
  return new Map(
    inOrder.map(([key, { resource, before, after }]): [string, Exception] => {
      if (comparison.isSame && isSameOverride(before, after)) {
        return [key, { resource, verdict: null }]
      }
      const { permission, facts } = comparison
      const overridden = withOverrides(facts, permission, { before, after })
      return [key, { resource, verdict: judge.onResource(user, permission, overridden, resource) }]
    })
  )
}

function isSameOverride(a: OverrideFacts | null, b: OverrideFacts | null): boolean {
  return a?.granted === b?.granted && a?.level === b?.level && a?.condition === b?.condition
}
