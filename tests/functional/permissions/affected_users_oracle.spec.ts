import { test } from '@japa/runner'
import { countAffectedUsers } from '#app/permissions/actions/count_affected_users'
import UserRole from '#app/permissions/models/user_role'
import { memberPart } from '#app/permissions/queries/role_members'
import { type AccessLevel, rankOf } from '#app/permissions/values/access_level'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueEmail } from '#tests/helpers/people'

const WORLDS = 200
const ROLES = 5
const USERS = 9
const PERMISSION_IDS = [1, 2, 3]
const LEVELS: AccessLevel[] = ['view', 'edit']
const CONDITIONS = [null, null, 'context.a == 1', 'context.b == 1']

interface Grant {
  roleId: number
  permissionId: number
  accessLevel: AccessLevel | null
  condition: string | null
}

const pick = <T>(items: T[]): T => items[Math.floor(Math.random() * items.length)]!
const often = () => Math.random() < 0.5

function randomGrants(roleIds: number[], levels: (AccessLevel | null)[]): Grant[] {
  const pairs = roleIds.flatMap((roleId) =>
    PERMISSION_IDS.map((permissionId) => ({ roleId, permissionId }))
  )
  return pairs.filter(often).map((pair) => {
    const accessLevel = pick(levels)
    return { ...pair, accessLevel, condition: accessLevel && pick(CONDITIONS) }
  })
}

/** What a user can do with a permission: the level in any case, and what conditions add to it. */
function accessOf(grants: Grant[], roleIds: Set<number>, permissionId: number): string {
  const own = grants.filter((each) => roleIds.has(each.roleId))
  const ofPermission = own.filter((each) => each.permissionId === permissionId)
  const rankUnder = (condition: string | null) =>
    Math.max(
      0,
      ...ofPermission
        .filter((each) => each.condition === condition)
        .map(({ accessLevel }) => rankOf(accessLevel))
    )
  const sure = rankUnder(null)
  const ranks = [...new Set(CONDITIONS)].map((condition) => rankUnder(condition))
  return JSON.stringify([sure, ranks.map((rank) => (rank > sure ? rank : 0))])
}

test.group('Affected users', (group) => {
  group.setup(() => {
    const all = { ...memberPart }
    Object.assign(memberPart, { users: 2, assignments: 3 })
    return () => void Object.assign(memberPart, all)
  })

  test('are those whose access differs, in random worlds', async ({ assert, client }) => {
    const application = await anApplication()
    const manage = manageApplication(client, application.code)
    const roles = await Array.fromAsync({ length: ROLES }, () => manage.role())
    const roleIds: number[] = roles.map(({ id }) => id)
    const users = Array.from({ length: USERS }, () => {
      return { email: uniqueEmail(), roleIds: new Set(roleIds.filter(often)) }
    })
    await UserRole.createMany(
      users.flatMap(({ email, roleIds: own }) => [...own].map((roleId) => ({ email, roleId })))
    )
    for (let world = 0; world < WORLDS; world++) {
      const before = randomGrants(roleIds, LEVELS)
      const changes = randomGrants(roleIds.filter(often), [...LEVELS, null])
      const isChanged = (grant: Grant) =>
        changes.some(
          ({ roleId, permissionId }) =>
            roleId === grant.roleId && permissionId === grant.permissionId
        )
      const after = [...before.filter((grant) => !isChanged(grant)), ...changes]
      const expected = changes.map(
        ({ roleId, permissionId }) =>
          users.filter(
            ({ roleIds: own }) =>
              own.has(roleId) &&
              accessOf(before, own, permissionId) !== accessOf(after, own, permissionId)
          ).length
      )
      const counted = await countAffectedUsers(application, changes, before)
      assert.deepEqual(counted, expected, JSON.stringify({ before, changes, users }))
    }
  })
})
