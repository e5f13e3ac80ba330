import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { aMachine, operator } from '#tests/helpers/command_line'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueEmail } from '#tests/helpers/people'

const machine = aMachine()

/** A clerk who can view orders. */
async function aShop(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const orders = await manage.permission({ code: 'orders', type: 'tiered' })
  await manage.permission({ code: 'export' })
  const clerk = await manage.role({ code: 'clerk' })
  await manage.rolePermissions(clerk.id, [{ permissionId: orders.id, accessLevel: 'view' }])
  const email = uniqueEmail('alan')
  await manage.userRoles(email, [clerk.id])
  return { code, email }
}

async function run(...args: string[]) {
  const outcome = await machine.run(args, { env: await operator() })
  if (outcome.code !== 0) throw new Error(outcome.stderr)
  return outcome
}

test.group('concierge … --preview', () => {
  test('shows what new permissions of a role flip, and keeps the old ones', async ({
    assert,
    client,
  }) => {
    const { code, email } = await aShop(client)
    const { stdout } = await run('roles', 'set', code, 'clerk', 'export', '--preview')
    const [head, ...lines] = stdout.trimEnd().split('\n')
    assert.match(head, /email\s+permission\s+resource\s+before\s+after\s+needs/)
    assert.deepEqual(
      lines.map((line) => line.split(/\s{2,}/)),
      [
        ['+', email, 'export', '-', 'denied', 'allowed (role)', '-'],
        ['−', email, 'orders', '-', 'view (role)', 'denied', '-'],
        ['1 gained, 1 lost'],
      ]
    )
    const kept = await run('roles', 'permissions', code, 'clerk', '-o', 'json')
    assert.containSubset(JSON.parse(kept.stdout), [{ permissionCode: 'orders' }])
  })

  test('shows what a condition makes depend on attributes', async ({ assert, client }) => {
    const { code } = await aShop(client)
    const when = ['--when', 'context.onSite']
    const { stdout } = await run(
      ...['roles', 'set-permissions', code, 'clerk', 'orders=view', 'export', ...when],
      '--preview'
    )
    assert.match(stdout, /orders\s+-\s+view \(role\)\s+denied\s+context\.onSite\n/)
    assert.match(stdout, /0 gained, 1 lost, 1 more can change, depending on attributes\n$/)
  })

  test('shows what roles of a user and deleted roles flip', async ({ assert, client }) => {
    const { code, email } = await aShop(client)
    const newcomer = uniqueEmail()
    const added = await run('grants', 'add', newcomer, code, 'clerk', '--preview')
    assert.match(added.stdout, /\+\s+\S+\s+orders\s+-\s+denied\s+view \(role\)/)
    const removed = await run('grants', 'remove', email, code, 'clerk', '--preview')
    assert.match(removed.stdout, /0 gained, 1 lost\n$/)
    const deleted = await run('roles', 'delete', code, 'clerk', '--preview', '-o', 'json')
    assert.containSubset(JSON.parse(deleted.stdout), { total: 1, flips: [{ email }] })
    const nothing = await run('grants', 'add', email, code, 'clerk', '--preview')
    assert.equal(nothing.stdout, 'No decisions would change\n0 gained, 0 lost\n')
    const roles = await run('grants', 'roles', email, code, '-o', 'json')
    assert.containSubset(JSON.parse(roles.stdout), [{ role: 'clerk' }])
  })
})

test.group('concierge access preview', () => {
  test('reads changes from a file or stdin, and lists as many flips as asked', async ({
    assert,
    client,
  }) => {
    const { code, email } = await aShop(client)
    const file = join(machine.folder, 'changes.yaml')
    writeFileSync(
      file,
      `changes:
  - op: createRole
    code: boss
  - op: addAdministrator
    email: ${email}
  - op: deleteRole
    role: clerk
`
    )
    const { stdout } = await run('access', 'preview', code, file, '--all')
    assert.match(stdout, /export\s+-\s+denied\s+allowed \(app_admin\)/)
    assert.match(stdout, /2 gained, 0 lost\n$/)
    const first = await run('access', 'preview', code, file, '--limit', '1')
    assert.equal(first.stderr, 'These are the first 1 of 2\n')
    const input = JSON.stringify([{ op: 'deleteRole', role: 'boss' }])
    const env = await operator()
    const refused = await machine.run(['access', 'preview', code, '-'], { env, input })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /ROLE_NOT_FOUND/)
  })
})
