import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, uniqueEmail } from '#tests/helpers/people'

const machine = aMachine()

test.group('concierge search', () => {
  test('lists who can do something, and what someone can do', async ({ assert, client }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const orders = await manage.permission({ code: 'orders' })
    const refunds = await manage.permission({ code: 'refunds' })
    const role = await manage.role({ code: 'clerk' })
    const condition = 'context.amount < 100'
    await manage.rolePermissions(role.id, [
      { permissionId: orders.id, accessLevel: 'allowed' },
      { permissionId: refunds.id, accessLevel: 'allowed', condition },
    ])
    const email = uniqueEmail()
    await manage.userRoles(email, [role.id])
    await manage.overrides(email, ['order', '42'], [{ permissionId: orders.id, granted: false }])
    const viewer = await operator(await panelPerson(client, { [code]: 'view' }))
    const run = (args: string[], env: Record<string, string> = viewer) => machine.run(args, { env })
    const json = async (...args: string[]) => {
      const { code: exit, stdout, stderr } = await run(['search', ...args, '-o', 'json'])
      assert.equal(exit, 0, stderr)
      return JSON.parse(stdout) as Record<string, unknown>[]
    }

    const who = await json('who', code, 'orders', '--all')
    assert.deepInclude(who, { email, accessLevel: 'allowed', source: 'role' })
    const onOrder = await json('who', code, 'orders', '--resource', 'order:42', '--all')
    assert.notInclude(
      onOrder.map((row) => row.email),
      email
    )
    const first = await run(['search', 'who', code, 'orders', '--limit', '1'])
    assert.equal(first.stderr, 'These are the first 1; --all lists everything\n')
    const pending = await json('who', code, 'refunds', '--all')
    assert.containSubset(pending, [{ email, condition, missing: 'context.amount' }])
    const attributes = ['--attributes', '{"context":{"amount":5}}']
    const given = await json('who', code, 'refunds', ...attributes, '--all')
    assert.deepInclude(given, { email, accessLevel: 'allowed', source: 'role' })
    assert.equal((await run(['search', 'who', code, 'p', '--attributes', '[]'])).code, 64)

    const own = await operator(email)
    const what = await run(['search', 'what', code], own)
    assert.match(what.stdout, /orders\s+allowed\s+role/)
    assert.match(what.stdout, /refunds\s+allowed\s+role\s+context\.amount/)
    const resources = ['search', 'what', code, 'orders', '--type', 'order']
    const everywhere = await run(resources, own)
    assert.equal(everywhere.stdout, 'No results\n')
    assert.equal(
      everywhere.stderr,
      'Also allowed on each order that neither the catalog nor an override names\n'
    )
    assert.deepEqual(await json('what', code, '--for', email, '--resource', 'order:42'), [
      {
        code: 'refunds',
        accessLevel: 'allowed',
        source: 'role',
        conditional: true,
        condition,
        missing: 'context.amount',
      },
    ])
    assert.deepEqual(await json('what', code, 'orders', '--type', 'order', '--for', email), [])
    assert.equal((await run(['search', 'what', code, 'orders'])).code, 64)
    const stranger = await run(['search', 'who', code, 'orders'], await operator(uniqueEmail()))
    assert.match(stranger.stderr, /^error: FORBIDDEN: /)
  }).timeout(120_000)
})
