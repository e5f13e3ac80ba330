import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'

const machine = aMachine()

test.group('concierge keys', () => {
  test('an administrator creates a key, a server uses it, and it is revoked', async ({
    assert,
  }) => {
    const application = await anApplication()
    const { code } = application
    const env = await operator(await anAdministratorOf(application))
    const json = async (...args: string[]) =>
      JSON.parse((await machine.run([...args, '-o', 'json'], { env })).stdout)

    const created = await json('keys', 'create', code, 'Server', '--expires', '2099-01-01T00:00Z')
    assert.containSubset(created, { name: 'Server', expiresAt: '2099-01-01T00:00:00.000Z' })
    assert.containSubset(await json('keys', 'list', code), [{ id: created.id, name: 'Server' }])
    const data = ['--data', 'subject=Hello', '--data', 'body=There']
    const notify = ['notify', uniqueEmail(), code, 'generic', ...data, '--internal-key', '-']
    const sent = await machine.run(notify, { env, input: created.key })
    assert.equal(sent.code, 0, sent.stderr)

    const revoke = ['keys', 'revoke', code, String(created.id)]
    assert.equal((await machine.run(revoke, { env })).code, 64, 'it asks first')
    assert.equal((await machine.run([...revoke, '--yes'], { env })).code, 0)
    const refused = await machine.run(notify, { env, input: created.key })
    assert.equal(refused.code, 1)
    assert.notInclude(refused.stderr, created.key)
    assert.deepEqual(await json('keys', 'list', code), [])
  }).timeout(120_000)
})
