import { test } from '@japa/runner'
import { decisions } from '#app/checks/decisions'
import { type AccessWorld, buildEmptyWorld, storeWorlds } from '#tests/helpers/access_world'
import { recordStatements } from '#tests/helpers/count_statements'
import { deleteWorlds } from '#tests/helpers/delete_worlds'
import { signedIn } from '#tests/helpers/people'

const CODES = Array.from({ length: 100 }, (_, index) => `permission-${index}`)

/** A user with many roles, permissions and overrides. */
async function aFullWorld(): Promise<AccessWorld> {
  const world = buildEmptyWorld({ people: 1, applications: 1 })
  const [email] = world.people
  const [app] = world.applications
  world.users.push({ email, active: true })
  for (const code of CODES) {
    world.permissions.push({ app, code, type: 'tiered', global: false, groupName: null })
    world.overrides.push({
      email,
      app,
      permission: code,
      resourceType: 'order',
      resourceId: '1',
      granted: true,
      level: 'view',
    })
  }
  for (const role of ['a', 'b', 'c', 'd', 'e']) {
    world.roles.push({ app, role })
    world.userRoles.push({ email, app, role })
    for (const permission of CODES) {
      world.rolePermissions.push({ app, role, permission, level: 'view' })
    }
  }
  await storeWorlds([world])
  return world
}

test.group('Statements per check', (group) => {
  group.teardown(deleteWorlds)

  for (const resource of [{}, { resourceType: 'order', resourceId: '1' }]) {
    const where = 'resourceType' in resource ? 'on a resource' : 'without a resource'

    test(`a single check ${where} runs one statement, and none when repeated`, async ({
      assert,
      client,
    }) => {
      const { people, applications } = await aFullWorld()
      const body = { email: people[0], app: applications[0], permission: CODES[0], ...resource }
      const check = async () => {
        const response = await client.post('/api/check').json(body)
        assert.deepEqual(response.body(), { data: { allowed: true } })
      }
      assert.lengthOf(await recordStatements(check), 1)
      assert.lengthOf(await recordStatements(check), 0)
      decisions.clear()
      assert.lengthOf(await recordStatements(check), 1)
    })

    test(`a bulk check of 100 ${where} runs one statement, and none when repeated`, async ({
      assert,
      client,
    }) => {
      const { people, applications } = await aFullWorld()
      const ask = async (permissions: string[]) => {
        const body = { email: people[0], app: applications[0], permissions, ...resource }
        const response = await client.post('/api/check/bulk').json(body)
        assert.deepEqual(Object.keys(response.body().data), permissions)
      }
      assert.lengthOf(await recordStatements(() => ask(CODES.slice(0, 50))), 1)
      assert.lengthOf(await recordStatements(() => ask(CODES)), 1)
      assert.lengthOf(await recordStatements(() => ask(CODES)), 0)
      assert.lengthOf(await recordStatements(() => ask(['unknown', ...CODES])), 1)
      // Undefined permissions are not cached.
      assert.lengthOf(await recordStatements(() => ask(['unknown'])), 1)
    })

    test(`effective permissions ${where} run one statement`, async ({ assert, client }) => {
      const { people, applications } = await aFullWorld()
      const statements = await recordStatements(async () => {
        const body = { email: people[0], app: applications[0], ...resource }
        const response = await client.post('/api/check/effective').json(body)
        assert.lengthOf(response.body().data, CODES.length)
      })
      assert.lengthOf(statements, 1)
    })
  }

  test('fifty identical concurrent checks run one statement', async ({ assert, client }) => {
    const { people, applications } = await aFullWorld()
    const body = { email: people[0], app: applications[0], permission: CODES[0] }
    const statements = await recordStatements(async () => {
      const asking = Array.from({ length: 50 }, async () => client.post('/api/check').json(body))
      for (const response of await Promise.all(asking)) response.assertStatus(200)
    })
    assert.lengthOf(statements, 1)
  })

  test('the internal and user-scoped routes share one cache', async ({ assert, client }) => {
    const { people, applications } = await aFullWorld()
    const question = { app: applications[0], permission: CODES[0] }
    const own = signedIn(client, people[0])
    // The first one binds the record to the account, which is an access change.
    await own.post('/api/profile/me/check', question)
    await own.post('/api/profile/me/check', question)
    const internal = () => client.post('/api/check').json({ email: people[0], ...question })
    assert.lengthOf(await recordStatements(async () => internal()), 0)

    decisions.clear()
    await internal()
    const statements = await recordStatements(() => own.post('/api/profile/me/check', question))
    assert.lengthOf(statements, 0)
  })
})
