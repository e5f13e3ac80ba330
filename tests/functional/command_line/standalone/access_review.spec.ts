import { test } from '@japa/runner'
import { parse } from 'csv-parse/sync'
import { aMachine, operator } from '#tests/helpers/command_line'
import { manageApplication } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'

const machine = aMachine()

test.group('concierge access-review', () => {
  test('shows who has access, and who gave it, as a table, JSON and CSV', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const manage = manageApplication(client, application.code)
    const [role, permission] = [await manage.role({ code: 'clerk' }), await manage.permission()]
    await manage.rolePermissions(role.id, [{ permissionId: permission.id, accessLevel: 'allowed' }])
    const email = uniqueEmail()
    await manage.userRoles(email, [role.id])
    const denied = [{ permissionId: permission.id, granted: false }]
    await manage.overrides(email, ['order', '1'], denied)
    const administrator = await anAdministratorOf(application)
    const env = await operator(administrator)
    const run = (...args: string[]) =>
      machine.run(['access-review', '--app', application.code, ...args], { env })

    const table = await run()
    assert.equal(table.code, 0, table.stderr)
    assert.match(table.stdout, new RegExp(`${email} .*role .*clerk .*allowed .*${SUPER_ADMIN}`))
    assert.match(table.stdout, new RegExp(`${email} .*override .*denied .*order:1`))
    assert.match(table.stdout, new RegExp(`${administrator} .*app_admin .*\\* .*unknown`))

    const json = await run('--format', 'json')
    const rights = JSON.parse(json.stdout)
    assert.deepEqual(JSON.parse((await run('-o', 'json')).stdout), rights)
    const csv = await run('--format', 'csv')
    assert.equal(csv.code, 0, csv.stderr)
    const rows: Record<string, string>[] = parse(csv.stdout, { columns: true })
    assert.deepEqual(
      rows.map((row) => [row.email, row.since]),
      rights.map((right: any) => [right.email, right.since])
    )
    assert.equal(rows.find((row) => row.email === email)!.givenBy, SUPER_ADMIN)

    const sourcesOf = async (...filter: string[]) => {
      const { stdout, stderr } = await run('--format', 'json', ...filter)
      assert.equal(stderr, '')
      return JSON.parse(stdout).map((right: any) => right.source)
    }
    assert.deepEqual(await sourcesOf('--source', 'override'), ['override'])
    assert.deepEqual(await sourcesOf('--user', email, '--role', 'clerk'), ['role'])
    assert.deepEqual(await sourcesOf('--user', email, '--state', 'ended'), [])
    const { code: permitted } = permission
    const unused = ['--user', email, '--permission', permitted, '--without-login-for', '30']
    assert.deepEqual(await sourcesOf(...unused), ['role', 'override'])
    assert.deepEqual(await sourcesOf('--inactive'), [])
    assert.deepEqual(await sourcesOf('--ends-within', '7'), [])
    const narrowed = await run('--format', 'csv', '--source', 'app_admin')
    assert.deepEqual(
      parse(narrowed.stdout, { columns: true }).map((row: any) => row.email),
      [administrator]
    )
    assert.notEqual((await run('--ends-within', 'soon')).code, 0)
  })

  test('fails for an application that the caller cannot see', async ({ assert }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const env = await operator(await anAdministratorOf(other))
    for (const format of ['csv', 'table']) {
      const args = ['access-review', '--app', application.code, '--format', format]
      const { code, stdout, stderr } = await machine.run(args, { env })
      assert.equal(code, 1)
      assert.equal(stdout, '')
      assert.include(stderr, 'FORBIDDEN')
    }
  })
})
