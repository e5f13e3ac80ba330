import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { aSuperAdmin, uniqueEmail } from '#tests/helpers/people'

const machine = aMachine()

test.group('concierge suppressions', () => {
  test('an address is suppressed, found and made usable again', async ({ assert, cleanup }) => {
    const env = await operator(await aSuperAdmin(cleanup))
    const json = async (...args: string[]) =>
      JSON.parse((await machine.run(['suppressions', ...args, '-o', 'json'], { env })).stdout)
    const email = uniqueEmail()

    const added = await json('add', email, '--cause', 'complaint', '--note', 'By phone')
    assert.containSubset(added, { email, reason: 'complaint', note: 'By phone' })
    assert.deepEqual(await json('list', '--email', email, '--cause', 'complaint'), [added])
    const remove = ['suppressions', 'remove', email]
    assert.equal((await machine.run(remove, { env })).code, 64, 'it asks first')
    assert.equal((await machine.run([...remove, '--yes'], { env })).code, 0)
    assert.deepEqual(await json('list', '--email', email), [])
  }).timeout(120_000)
})
