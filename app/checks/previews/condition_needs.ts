import type { Definitions, Differences } from '#app/checks/previews/definitions'
import type { ComparedUser, NamedOverride, ResourceName, Rights } from '#app/checks/previews/rights'

interface Compared {
  before: Definitions
  after: Definitions
  differences: Differences
  users: ComparedUser[]
}

interface ConditionNeeds {
  /** Whether conditions of roles can matter, which can read any resource. */
  everyResource: boolean
  /** The resources whose overrides have conditions. */
  resources: ResourceName[]
}

/** Finds the resources whose properties conditions can read. */
export function conditionNeeds({ before, after, differences, users }: Compared): ConditionNeeds {
  const concerned = new Set(differences.concerned)
  const touchedRoles = new Set(
    users.flatMap((user) => (user.isTouched ? [...user.before.roleIds, ...user.after.roleIds] : []))
  )
  const everyResource = [before, after].some(({ grants }) =>
    [...grants].some(([roleId, ofRole]) =>
      ofRole.some(
        ({ permissionId, condition }) =>
          condition !== null && (concerned.has(permissionId) || touchedRoles.has(roleId))
      )
    )
  )
  const overrides = users.flatMap((user) => [
    ...conditionalOf(user.before),
    ...conditionalOf(user.after),
  ])
  return { everyResource, resources: overrides.map(({ resource }) => resource) }
}

function conditionalOf({ overrides }: Rights): NamedOverride[] {
  return overrides.filter(({ condition }) => condition !== null)
}
