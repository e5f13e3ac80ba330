import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { eventually } from '#tests/helpers/eventually'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'

const machine = aMachine()

test.group('concierge changes', () => {
  test('shows what changed after a revision', async ({ assert, client }) => {
    const env = await operator()
    const run = async (...args: string[]) => machine.run(['changes', ...args], { env })
    const { revision } = JSON.parse((await run('-o', 'json')).stdout)
    const { code } = await anApplication()
    const email = uniqueEmail()
    await superAdmin(client).post(`/api/users/admins/apps/${code}`, { email })
    const lines = (await run('--after', String(revision), '-o', 'json')).stdout.trim().split('\n')
    const events = lines.map((line) => JSON.parse(line))
    assert.deepInclude(events.at(-1), { type: 'access', scopes: [{ email, application: code }] })
    const table = (await run('--after', String(revision))).stdout
    assert.include(table, `${events.at(-1).revision}  access  ${email} in ${code}`)

    const refused = await run('--domains', 'access,secrets')
    assert.equal(refused.code, 64)
    assert.include(refused.stderr, 'Use any of access, users, audit, separated by commas.')
  })

  test('follows changes as they happen', async ({ assert, client, cleanup }) => {
    const env = await operator()
    const child = machine.start(['changes', '--follow', '-o', 'json'], { env })
    cleanup(() => void child.kill())
    let output = ''
    child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const scopes = await eventually('it shows a change', async () => {
      const { code } = await anApplication()
      await superAdmin(client).post(`/api/users/admins/apps/${code}`, { email: uniqueEmail() })
      return output.includes(code) && JSON.parse(output.split('\n', 1)[0]).scopes
    })
    assert.isArray(scopes)
  })
})
