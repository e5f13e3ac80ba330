import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'

const machine = aMachine()

test.group('concierge instances', () => {
  test('an administrator creates an instance, and a super admin approves its URLs', async ({
    assert,
  }) => {
    const application = await anApplication()
    const { code } = application
    const administrator = await operator(await anAdministratorOf(application))
    const superAdmin = await operator()
    const run = (args: string[], env: Record<string, string> = administrator) =>
      machine.run(['instances', ...args], { env })
    const json = async (args: string[], env?: Record<string, string>) => {
      const { code: exit, stdout, stderr } = await run([...args, '-o', 'json'], env)
      if (exit !== 0) throw new Error(stderr)
      return JSON.parse(stdout)
    }

    const urls = ['--base-url', 'https://shop.example', '--callback', 'https://shop.example/in']
    assert.equal((await run(['create', code, 'Production'])).code, 64, 'the URL is missing')
    assert.include(await json(['create', code, 'Production', ...urls]), { approved: false })
    const approve = ['approve', code, 'Production']
    const asked = await run(approve, superAdmin)
    assert.equal(asked.code, 64)
    assert.include(asked.stderr, 'https://shop.example, https://shop.example/in')
    assert.equal((await run([...approve, '--yes'])).code, 1, 'an administrator cannot')
    assert.include(await json([...approve, '--yes'], superAdmin), { approved: true })

    const changed = ['update', code, 'Production', '--post-logout', 'https://shop.example/out']
    assert.deepInclude(await json(changed), {
      approved: false,
      callbackUrls: ['https://shop.example/in'],
      postLogoutUrls: ['https://shop.example/out'],
    })
    assert.deepInclude(await json(['update', code, 'Production', '--callback', '']), {
      callbackUrls: [],
      postLogoutUrls: ['https://shop.example/out'],
    })
    const missing = await run(['delete', code, 'Staging', '--yes'])
    assert.equal(missing.code, 1)
    assert.match(missing.stderr, /^error: INSTANCE_NOT_FOUND: /)
    assert.equal((await run(['delete', code, 'Production'])).code, 64, 'it asks first')
    assert.equal((await run(['delete', code, 'Production', '--yes'])).code, 0)
    assert.deepEqual(await json(['list', code]), [])
  }).timeout(120_000)
})
