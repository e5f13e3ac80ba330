import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { parse } from 'yaml'
import { projectPath } from '#core/process/root'
import { aMachine, operator } from '#tests/helpers/command_line'
import { anApplication } from '#tests/helpers/people'
import { anApplicationWithPolicy, exportedPolicy } from '#tests/helpers/policies'

const EXAMPLES = join(projectPath(), 'docs/how-to/policy')

/** The files of the documentation on a machine that has no credentials. */
function examples() {
  const machine = aMachine()
  const copy = (name: string, change = (text: string) => text) => {
    const path = join(machine.folder, name)
    writeFileSync(path, change(readFileSync(join(EXAMPLES, name), 'utf8')))
    return path
  }
  const run = (...args: string[]) => machine.run(['policy', 'test', ...args])
  return { machine, copy, run }
}

test.group('concierge policy', () => {
  test('exports YAML, or JSON on request', async ({ assert }) => {
    const { code } = await anApplicationWithPolicy()
    const [machine, env] = [aMachine(), await operator()]
    const yaml = await machine.run(['policy', 'export', code], { env })
    assert.equal(yaml.code, 0, yaml.stderr)
    assert.match(yaml.stdout, /^# yaml-language-server: \$schema=/)
    assert.deepEqual(parse(yaml.stdout), exportedPolicy(code))
    const json = await machine.run(['policy', 'export', code, '--assignments', '-o', 'json'], {
      env,
    })
    assert.containSubset(JSON.parse(json.stdout), { assignments: { roles: [{ role: 'clerk' }] } })
  }).timeout(60_000)

  test('plans, asks, applies once, and says so', async ({ assert }) => {
    const { code } = await anApplication()
    const [machine, env] = [aMachine(), await operator()]
    const file = join(machine.folder, 'shop.yaml')
    const example = readFileSync(join(EXAMPLES, 'shop.yaml'), 'utf8')
    const assignments = `assignments:\n  roles:\n    - {email: ${code}@acme.example, role: clerk}\n`
    writeFileSync(file, example.replace('application: shop', `application: ${code}`) + assignments)
    const run = (...args: string[]) => machine.run(['policy', ...args], { env })
    const planned = await run('plan', file)
    assert.equal(planned.code, 0, planned.stderr)
    assert.include(planned.stdout, '+ permission orders\n+ permission refunds\n+ role clerk\n')
    assert.match(planned.stdout, /\+ +\S+@acme\.example +orders +- +denied +view \(role\)/)
    assert.include(planned.stdout, '1 gained, 0 lost, 1 more can change, depending on attributes')
    const asked = await run('apply', file)
    assert.equal(asked.code, 64)
    assert.include(asked.stderr, 'use --yes')
    const applied = await run('apply', file, '--yes')
    assert.equal(applied.code, 0, applied.stderr)
    const again = await run('apply', file, '--prune')
    assert.equal(again.code, 0, again.stderr)
    assert.include(again.stderr, 'Nothing to do')
    const empty = await machine.run(['policy', 'apply', '-', '--prune', '--yes'], {
      env,
      input: `application: ${code}\nroles: []\n`,
    })
    assert.equal(empty.code, 0, empty.stderr)
    assert.include(empty.stdout, '- role clerk')
    assert.include(empty.stdout, '1 lost')
  }).timeout(60_000)

  test('tests the example of the documentation without the service', async ({ assert }) => {
    const { copy, run, machine } = examples()
    const report = join(machine.folder, 'report.xml')
    const outcome = await run(copy('shop.yaml'), copy('shop.tests.yaml'), '--junit', report)
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr)
    assert.include(outcome.stdout, '3 passed, 0 failed')
    assert.include(readFileSync(report, 'utf8'), 'tests="3" failures="0"')
  })

  test('explains a failure, and exits with 2', async ({ assert }) => {
    const { copy, run, machine } = examples()
    const policy = copy('shop.yaml', (text) => text.replace('amount <= 100', 'amount <= 10'))
    const report = join(machine.folder, 'report.xml')
    const outcome = await run(policy, copy('shop.tests.yaml'), '--junit', report)
    assert.equal(outcome.code, 2)
    assert.include(outcome.stdout, 'FAIL clerks refund small amounts only')
    assert.include(outcome.stdout, 'expected allowed, but it is denied')
    assert.include(outcome.stdout, 'Role clerk grants refunds; its condition is false')
    assert.match(readFileSync(report, 'utf8'), /failures="1"[^]*<failure message="expected allowed/)
  })

  test('exits with 64 for {title}')
    .with([
      {
        title: 'a policy with a misspelt field',
        policy: (text: string) => text.replace('roles:', 'rolls:'),
        message: 'rolls is not a field',
      },
      {
        title: 'a condition that does not compile',
        policy: (text: string) => text.replace('amount <= 100', 'amount <='),
        message: 'roles.0.permissions.1.condition: ',
      },
      {
        title: 'a level that does not fit',
        policy: (text: string) => text.replace('accessLevel: view', 'accessLevel: allowed'),
        message: 'roles.0.permissions.0.accessLevel: ',
      },
      {
        title: 'a role that grants what does not exist',
        policy: (text: string) => text.replace('permission: orders', 'permission: oders'),
        message: 'roles.0.permissions.0.permission is oders, which does not exist',
      },
      {
        title: 'a test of what the policy does not define',
        tests: (text: string) => text.replace('permission: orders', 'permission: oders'),
        message: 'tests.0.expect.0.permission is oders',
      },
      {
        title: 'an alias',
        policy: (text: string) => text.replace('name: Orders', 'name: &name Orders'),
        tests: (text: string) => `${text}other: *name\n`,
        message: 'Aliases are not allowed',
      },
      {
        title: 'a key that appears twice',
        policy: (text: string) => `${text}roles: []\n`,
        message: 'The key roles appears twice',
      },
      {
        title: 'a cycle of permissions',
        policy: (text: string) => text.replace('type: tiered', 'type: tiered\n    parent: orders'),
        message: 'permissions.0.parent',
      },
    ])
    .run(async ({ assert }, { policy, tests, message }) => {
      const { copy, run } = examples()
      const outcome = await run(copy('shop.yaml', policy), copy('shop.tests.yaml', tests))
      assert.equal(outcome.code, 64, outcome.stdout)
      assert.include(outcome.stderr, message)
    })
})
