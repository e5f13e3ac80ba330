import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { aMachine, operator } from '#tests/helpers/command_line'
import { manageApplication, overridesPath } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { serviceUrl } from '#tests/helpers/send'

const machine = aMachine()
const OWN = 'resource.properties.owner == subject.email'

async function aScene(client: ApiClient) {
  const application = await anApplication()
  const manage = manageApplication(client, application.code)
  const env = await operator(await anAdministratorOf(application))
  const run = (...args: string[]) =>
    machine.run([...args, '--url', serviceUrl(), '--token', env.CONCIERGE_TOKEN, '--yes'])
  const read = async (path: string) => (await superAdmin(client).get(path)).body().data
  const permissions = [
    await manage.permission({ code: 'orders', type: 'tiered' }),
    await manage.permission({ code: 'export', type: 'binary' }),
  ]
  return { code: application.code, manage, run, read, permissions, email: uniqueEmail() }
}

test.group('concierge, conditions', () => {
  test('a role keeps its conditions unless --when says otherwise', async ({ assert, client }) => {
    const { code, manage, run, read } = await aScene(client)
    const role = await manage.role({ code: 'clerk' })
    const set = (...args: string[]) => run('roles', 'set-permissions', code, 'clerk', ...args)
    const conditions = async () => {
      const rows = await read(`/api/applications/${code}/roles/${role.id}/permissions`)
      return rows.map(({ condition }: { condition: string | null }) => condition)
    }
    const first = await set('orders=view', '--when', OWN)
    assert.include(first.stdout, OWN)
    await set('orders=edit', 'export')
    assert.deepEqual(await conditions(), [OWN, null])
    const matrix = await run('roles', 'matrix', code, '--output', 'table')
    assert.match(matrix.stdout, /edit\*/)
    await set('orders=edit', '--when', '')
    assert.deepEqual(await conditions(), [null])
  })

  test('an override has the condition of --when, and the others keep theirs', async ({
    assert,
    client,
  }) => {
    const { code, run, read, email } = await aScene(client)
    const where = ['--resource', 'doc:7']
    await run('grants', 'allow', email, code, 'orders', ...where, '--when', OWN)
    await run('grants', 'deny', email, code, 'export', ...where, '--when', 'context.risk > 3')
    const rows = await read(overridesPath(email, code, 'doc', '7'))
    assert.sameMembers(
      rows.map(({ condition }: { condition: string | null }) => condition),
      [OWN, 'context.risk > 3']
    )
  })

  test('an invalid condition is refused with its place', async ({ assert, client }) => {
    const { code, run, read, email } = await aScene(client)
    const allow = ['grants', 'allow', email, code, 'orders', '--resource', 'doc:7']
    const refused = await run(...allow, '--when', 'resource.owner == 1')
    assert.notEqual(refused.code, 0)
    assert.include(refused.stderr, 'Unknown field: owner (line 1, column 10)')
    assert.deepEqual(await read(overridesPath(email, code, 'doc', '7')), [])
  })
})
