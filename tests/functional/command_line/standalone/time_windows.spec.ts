import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { aMachine, operator } from '#tests/helpers/command_line'
import { inPath, manageApplication, overridesPath } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'

const machine = aMachine()

async function aScene(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  await manage.role({ code: 'clerk' })
  await manage.permission({ code: 'orders', type: 'tiered' })
  const env = await operator()
  const run = (...args: string[]) => machine.run([...args, '--yes'], { env })
  const read = async (path: string) => (await superAdmin(client).get(path)).body().data
  return { code, run, read, email: uniqueEmail() }
}

test.group('concierge, time windows', () => {
  test('an assignment, an override and an administrator can begin and end', async ({
    assert,
    client,
  }) => {
    const { code, run, read, email } = await aScene(client)
    const added = await run('grants', 'add', email, code, 'clerk', '--until', '2098-02-28')
    assert.equal(added.code, 0, added.stderr)
    const [role] = await read(`/api/users/${inPath(email)}/apps/${code}/roles`)
    assert.deepInclude(role, { validFrom: null, validUntil: '2098-02-28T00:00:00.000Z' })

    const times = ['--from', '2098-01-01T08:00+01:00', '--until', '2098-01-01T12:30:15.5Z']
    await run('grants', 'deny', email, code, 'orders', '--resource', 'order:1', ...times)
    const [override] = await read(overridesPath(email, code, 'order', '1'))
    assert.deepInclude(override, {
      validFrom: '2098-01-01T07:00:00.000Z',
      validUntil: '2098-01-01T12:30:15.500Z',
      state: 'scheduled',
    })

    await run('users', 'admins', 'add', email, '--app', code, '--until', '2096-02-29')
    const [administrator] = await read(`/api/users/admins/apps/${code}`)
    assert.deepInclude(administrator, { email, validUntil: '2096-02-29T00:00:00.000Z' })
  })

  test('a day that does not exist is refused: {$self}')
    .with(['2098-02-30', '2098-02-29', '2098-04-31T00:00Z', '2098-13-01', '2098-01-01T24:01Z'])
    .run(async ({ assert, client }, until) => {
      const { code, run, read, email } = await aScene(client)
      const refused = await run('grants', 'add', email, code, 'clerk', '--until', until)
      assert.equal(refused.code, 64)
      assert.include(refused.stderr, 'Use a date such as 2027-01-01')
      assert.deepEqual(await read(`/api/users/${inPath(email)}/apps/${code}/roles`), [])
    })

  test('a time without its zone is refused', async ({ assert, client }) => {
    const { code, run, email } = await aScene(client)
    const refused = await run('grants', 'add', email, code, 'clerk', '--from', '2098-01-01T12:00')
    assert.equal(refused.code, 64)
  })
})
