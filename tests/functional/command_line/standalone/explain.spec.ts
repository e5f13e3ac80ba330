import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, uniqueEmail } from '#tests/helpers/people'

const machine = aMachine()

test.group('concierge explain', () => {
  test('explains to a viewer what another user can do, and why', async ({ assert, client }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const { id: permissionId } = await manage.permission({ code: 'orders' })
    const role = await manage.role({ code: 'clerk' })
    await manage.rolePermissions(role.id, [{ permissionId, accessLevel: 'allowed' }])
    const email = uniqueEmail()
    await manage.userRoles(email, [role.id])
    await manage.overrides(email, ['order', '42'], [{ permissionId, granted: false }])
    const viewer = await operator(await panelPerson(client, { [code]: 'view' }))
    const run = (args: string[], env: Record<string, string> = viewer) => machine.run(args, { env })

    const allowed = await run(['explain', code, 'orders', '--for', email])
    assert.equal(allowed.code, 0, allowed.stderr)
    assert.include(allowed.stdout, 'allowed with level allowed by role: rule 5 decided')
    const denied = ['explain', code, 'orders', '--for', email, '--resource', 'order:42']
    assert.equal((await run(denied)).code, 2)
    const unknown = await run(['explain', code, 'ordres', '--for', email])
    assert.equal(unknown.stderr, `warning: ${code} has no permission ordres\n`)
    const own = await run(['explain', code, 'orders', '-o', 'json'])
    assert.equal(own.code, 2)
    assert.isFalse(JSON.parse(own.stdout).allowed)

    const effective = ['permissions', 'effective', code, '-o', 'json']
    const orders = async (...args: string[]) =>
      JSON.parse((await run([...effective, ...args])).stdout)[0]
    assert.include(await orders('--for', email), { code: 'orders', granted: true })
    assert.include(await orders('--for', email, '--resource', 'order:42'), { granted: false })
    assert.include(await orders(), { code: 'orders', granted: false })

    const stranger = await operator(uniqueEmail())
    for (const args of [denied, [...effective, '--for', email]]) {
      const refused = await run(args, stranger)
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /^error: FORBIDDEN: /)
    }
  }).timeout(120_000)
})
