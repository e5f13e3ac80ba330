import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { manageApplication } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'

const machine = aMachine()

test.group('concierge assignments and roles', () => {
  test('an administrator imports roles, lists who has them, and previews a deletion', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const { code } = application
    const manage = manageApplication(client, code)
    const role = await manage.role({ code: 'clerk' })
    const permission = await manage.permission({ code: 'orders', type: 'tiered' })
    await manage.rolePermissions(role.id, [{ permissionId: permission.id, accessLevel: 'view' }])
    const env = await operator(await anAdministratorOf(application))
    const run = (args: string[], input = '') => machine.run(args, { env, input })
    const json = async (...args: string[]) =>
      JSON.parse((await run([...args, '-o', 'json'])).stdout)

    const email = uniqueEmail()
    const file = `email,role\n${email},clerk\n`
    const checked = await run(
      ['assignments', 'import', code, '-', '--dry-run'],
      `${file}nobody,clerk\n`
    )
    assert.equal(checked.code, 2, checked.stderr)
    assert.include(checked.stdout, 'Row 3: email must be an e-mail address')
    const refused = await run(['assignments', 'import', code, '-'], `${file}nobody,clerk\n`)
    assert.equal(refused.code, 1)
    assert.include(refused.stderr, 'VALIDATION_ERROR')
    const imported = await run(['assignments', 'import', code, '-', '-o', 'json'], file)
    assert.deepEqual(JSON.parse(imported.stdout), { created: 1, unchanged: 0, errors: [] })

    assert.containSubset(await json('assignments', 'list', code, '--role', 'clerk'), [
      { kind: 'role', email, role: 'clerk' },
    ])
    const week = new Date(Date.now() + 6 * 86_400_000).toISOString()
    await run(['grants', 'add', email, code, 'clerk', '--until', week])
    assert.containSubset(await json('assignments', 'list', code, '--ends-within', '7'), [
      { kind: 'role', email, validUntil: week },
    ])
    assert.isEmpty(await json('assignments', 'list', code, '--ends-within', '5'))
    const matrix = await run(['roles', 'matrix', code])
    assert.match(matrix.stdout, /permission +clerk\norders +view/)
    assert.deepEqual(await json('roles', 'delete', code, 'clerk', '--dry-run'), [
      { kind: 'role', count: 1, names: ['clerk'] },
      { kind: 'role_permission', count: 1, names: [] },
      { kind: 'role_assignment', count: 1, names: [email] },
    ])
  }).timeout(120_000)
})
