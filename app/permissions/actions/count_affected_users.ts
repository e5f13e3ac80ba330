import { Turns } from '#core/values/turns'
import type Application from '#app/applications/models/application'
import { readRoleMembers } from '#app/permissions/queries/role_members'
import { ACCESS_LEVELS, type AccessLevel, rankOf } from '#app/permissions/values/access_level'
import { type UserSet, sizeOf } from '#app/permissions/values/user_set'

interface Grant {
  roleId: number
  permissionId: number
  /** Null removes the permission from the role. */
  accessLevel: AccessLevel | null
  condition: string | null
}

/** The users who have at least each level, from the lowest on. */
type Levels = UserSet[]

const NOBODY: Levels = ACCESS_LEVELS.map(() => 0n)
const UNCONDITIONAL = ''

/**
 * Counts, for each change, the users with its role for whom the result of a check can differ once
 * all changes are made: because their level from all their roles differs, or a condition that can
 * raise it.
 *
 * @param before everything that roles grant of the permissions that change
 * @returns the numbers in the order of the changes
 */
export async function countAffectedUsers(
  application: Application,
  changes: Grant[],
  before: Grant[]
): Promise<number[]> {
  const changed = new Set(changes.map(({ roleId }) => roleId))
  const others = new Set(before.map(({ roleId }) => roleId)).difference(changed)
  const members = await readRoleMembers(application, [...changed], [...others])
  const grantsBefore = Map.groupBy(before, ({ permissionId }) => permissionId)
  const turns = new Turns()
  const counts = new Map<Grant, number>()
  for (const [permissionId, ofPermission] of Map.groupBy(changes, (each) => each.permissionId)) {
    const old = grantsBefore.get(permissionId) ?? []
    const replaced = new Set(ofPermission.map(({ roleId }) => roleId))
    const kept = old.filter(({ roleId }) => !replaced.has(roleId))
    const affected = difference(
      levelsByCondition(old, members),
      levelsByCondition([...kept, ...ofPermission], members)
    )
    for (const change of ofPermission) {
      counts.set(change, sizeOf(affected & (members.get(change.roleId) ?? 0n)))
      if (turns.isOver) await turns.next()
    }
  }
  return changes.map((change) => counts.get(change)!)
}

type LevelsByCondition = Map<string, Levels>

function levelsByCondition(grants: Grant[], members: Map<number, UserSet>): LevelsByCondition {
  const byCondition: LevelsByCondition = new Map()
  for (const { roleId, accessLevel, condition } of grants) {
    const users = members.get(roleId)
    if (users === undefined) continue
    const levels = byCondition.get(condition ?? UNCONDITIONAL) ?? NOBODY
    const rank = rankOf(accessLevel)
    const raised = levels.map((holders, index) => (index < rank ? holders | users : holders))
    byCondition.set(condition ?? UNCONDITIONAL, raised)
  }
  return byCondition
}

/** The users for whom anything differs. */
function difference(before: LevelsByCondition, after: LevelsByCondition): UserSet {
  let differing: UserSet = 0n
  for (const condition of new Set([...before.keys(), ...after.keys()])) {
    const then = added(after, condition)
    for (const [index, holders] of added(before, condition).entries()) {
      differing |= holders ^ then[index]!
    }
  }
  return differing
}

/** What grants under a condition add to the levels that their users have in any case. */
function added(byCondition: LevelsByCondition, condition: string): Levels {
  const levels = byCondition.get(condition) ?? NOBODY
  const sure = byCondition.get(UNCONDITIONAL)
  if (condition === UNCONDITIONAL || sure === undefined) return levels
  const raised = levels.reduce((users, holders, index) => users | (holders & ~sure[index]!), 0n)
  return levels.map((holders) => holders & raised)
}
