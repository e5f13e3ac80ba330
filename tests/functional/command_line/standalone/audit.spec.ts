import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'

const machine = aMachine()

test.group('concierge audit', () => {
  test('shows an administrator what changed, by whom and why', async ({ assert }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const env = await operator(email)
    const run = (...args: string[]) => machine.run(args, { env })
    const reason = 'Úklid, viz T-1'
    const created = await run('roles', 'create', application.code, 'clerk', '--reason', reason)
    assert.equal(created.code, 0, created.stderr)

    const table = await run('audit', 'list', application.code)
    assert.match(table.stdout, new RegExp(`${email} +role.created .* role clerk +${reason}`))
    const list = await run('audit', application.code, '--action', 'role.created', '-o', 'json')
    const [entry] = JSON.parse(list.stdout)
    assert.containSubset(entry, { actor: { kind: 'user', email }, before: null, reason })
    assert.containSubset(entry.after, { code: 'clerk' })

    const later = await run('audit', application.code, '--from', '2100-01-01', '-o', 'json')
    assert.deepEqual(JSON.parse(later.stdout), [])

    const head = await run('audit', 'head')
    assert.equal(head.code, 1)
    assert.include(head.stderr, 'FORBIDDEN')
  })

  test('shows a global admin the head of the chain', async ({ assert }) => {
    const env = await operator(SUPER_ADMIN)
    const { stdout } = await machine.run(['audit', 'head', '-o', 'json'], { env })
    const { sequence, hash } = JSON.parse(stdout)
    assert.isNumber(sequence)
    assert.match(hash, /^[\da-f]{64}$/)
  })
})
