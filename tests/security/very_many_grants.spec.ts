import { test } from '@japa/runner'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import { readAllFacts, readFacts } from '#app/checks/actions/read_facts'
import { accessTransaction } from '#core/database/access_transaction'
import { type AccessWorld, buildEmptyWorld, storeWorlds } from '#tests/helpers/access_world'
import { deleteWorlds } from '#tests/helpers/delete_worlds'
import { turnsDuring } from '#tests/helpers/event_loop'

const ROLES = Array.from({ length: 30 }, (_, index) => `role-${index}`)
/** Together, the roles grant more than SQLite may read at once. */
const CODES = Array.from({ length: 150 }, (_, index) => `permission-${index}`)
/** Granted by one role. */
const MOVED = 'moved'
const READS = 8
const LEVELS = ['view', 'edit'] as const
const CONDITIONS = [null, 'subject.email == "nobody"', 'true']

/** A user of whose roles each grants other levels, some of them under conditions. */
async function aUserWithManyGrants(): Promise<AccessWorld> {
  const world = buildEmptyWorld({ people: 1, applications: 1 })
  const [email] = world.people
  const [app] = world.applications
  world.users.push({ email, active: true })
  for (const code of CODES) {
    world.permissions.push({ app, code, type: 'tiered', global: false, groupName: null })
  }
  for (const [number, role] of ROLES.entries()) {
    world.roles.push({ app, role })
    world.userRoles.push({ email, app, role })
    for (const [index, permission] of CODES.entries()) {
      if (index % ROLES.length === number) continue
      const level = LEVELS[Number((index * number) % 7 === 6)]
      const condition = CONDITIONS[(index + number) % (index % 3 === 0 ? 2 : 3)]
      world.rolePermissions.push({ app, role, permission, level, condition })
    }
  }
  world.permissions.push({ app, code: MOVED, type: 'tiered', global: false, groupName: null })
  world.rolePermissions.push({ app, role: ROLES[0], permission: MOVED, level: 'view' })
  await storeWorlds([world])
  return world
}

const scopeOf = ({ people, applications }: AccessWorld) => ({
  email: people[0],
  app: applications[0],
  resourceType: '',
  resourceId: '',
})

test.group('A user with very many grants', (group) => {
  group.teardown(deleteWorlds)

  test('has the same rights when they are read one by one', async ({ assert }) => {
    const scope = scopeOf(await aUserWithManyGrants())
    const { permissions: all } = await readAllFacts(scope)
    const { permissions: some } = await readFacts(scope, CODES)
    assert.lengthOf(all, CODES.length + 1)
    for (const code of CODES) {
      const { permissions: one } = await readFacts(scope, [code])
      assert.deepEqual(all.get(code), one.get(code))
      assert.deepEqual(some.get(code), one.get(code))
    }
  })

  test('lets other requests run while they are read', async ({ assert }) => {
    const scope = scopeOf(await aUserWithManyGrants())
    assert.isAbove(await turnsDuring(() => readAllFacts(scope)), 2)
  })

  test('never has rights that are a mixture of two moments', async ({ assert }) => {
    const world = await aUserWithManyGrants()
    const scope = scopeOf(world)
    const permission = await Permission.findByOrFail({ code: MOVED })
    const roles = await Role.query().where('applicationId', permission.applicationId).orderBy('id')
    const moveTo = (role: Role) =>
      accessTransaction(async (trx, changed) => {
        changed({ application: scope.app })
        const grants = trx.from('role_permissions').where('permission_id', permission.id)
        await grants.update({ role_id: role.id })
      })
    let isOver = false
    const moving = (async () => {
      while (!isOver) {
        await moveTo(roles.at(-1)!)
        await moveTo(roles[0])
      }
    })()
    const levels: unknown[] = []
    while (levels.length < READS) {
      const { permissions } = await readAllFacts(scope)
      levels.push(permissions.get(MOVED)!.roleLevel)
    }
    isOver = true
    await moving
    assert.deepEqual(new Set(levels), new Set(['view']))
  })
})
