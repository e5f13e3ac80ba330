import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { deleteStoredProvider, storedProvider } from '#tests/helpers/notification_provider'
import { IdentityApi } from '#tests/world/identity_api'

let api: IdentityApi

async function run(args: string[], settings: NodeJS.ProcessEnv = {}) {
  const account = { IDP_API_URL: api.url, IDP_SERVICE_ACCOUNT_TOKEN: api.personalToken }
  const child = spawn(process.execPath, ['ace.js', 'idp:setup-provider', ...args], {
    cwd: projectPath(),
    env: { ...process.env, ...account, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output, code }
}

async function setupProvider(args: string[], settings?: NodeJS.ProcessEnv) {
  const ran = await run(['--json', ...args], settings)
  return { ...ran, result: JSON.parse(ran.output) }
}

test.group('idp:setup-provider', (group) => {
  group.setup(async () => {
    api = await new IdentityApi().start()
    return () => api.stop()
  })
  group.each.setup(async () => {
    await deleteStoredProvider()
    api.state.emailProviders.clear()
    api.denied.clear()
    return deleteStoredProvider
  })

  test('previews and performs the setup without printing a key', async ({ assert }) => {
    const preview = await setupProvider(['--dry-run'])
    assert.equal(preview.code, 0)
    assert.lengthOf(preview.result.steps, 2)
    assert.isTrue(preview.result.permissions.every(({ granted }: { granted: boolean }) => granted))
    assert.lengthOf(api.emailProviders, 0)

    const { code, result, output } = await setupProvider([])
    assert.equal(code, 0)
    const { id, keys } = await storedProvider()
    assert.containSubset(result, { done: true, active: true, configured: true, providerId: id })
    assert.isTrue(api.emailProviders[0].isActive)
    assert.equal(keys[0], api.emailProviders[0].http!.signingKey)
    assert.notInclude(output, keys[0]!)

    const settled = await run(['--dry-run'])
    assert.equal(settled.code, 0)
    assert.include(settled.output, 'Nothing is missing')

    const rotated = await setupProvider(['--rotate'])
    assert.equal(rotated.code, 0)
    assert.deepEqual((await storedProvider()).keys.slice(1), keys)

    api.emailProviders[0].isActive = false
    const activated = await setupProvider(['--activate-only'])
    assert.equal(activated.code, 0)
    assert.isTrue(api.emailProviders[0].isActive)
  })

  test('exits with 2 and names the missing permission', async ({ assert }) => {
    api.denied.add('iam.write')
    const preview = await setupProvider(['--dry-run'])
    assert.equal(preview.code, 2)
    assert.deepInclude(preview.result.permissions, { permission: 'iam.write', granted: false })
    assert.deepInclude(preview.result.permissions, { permission: 'iam.read', granted: true })
    const { code, result } = await setupProvider([])
    assert.equal(code, 2)
    assert.containSubset(result.error, {
      code: 'SERVICE_ACCOUNT_LACKS_PERMISSION',
      details: { permission: 'iam.write' },
    })
  })

  test('exits with 2 for a missing setting and 1 for a transient failure', async ({ assert }) => {
    const unset = await setupProvider([], { IDP_SERVICE_ACCOUNT_TOKEN: '' })
    assert.equal(unset.code, 2)
    assert.equal(unset.result.error.code, 'SERVICE_ACCOUNT_NOT_CONFIGURED')
    const early = await setupProvider(['--activate-only'])
    assert.equal(early.code, 2)
    assert.equal(early.result.error.code, 'PROVIDER_NOT_SET_UP')
    const both = await setupProvider(['--activate-only', '--rotate'])
    assert.equal(both.code, 2)
    const down = await setupProvider([], { IDP_API_URL: 'http://127.0.0.1:1' })
    assert.equal(down.code, 1)
    assert.equal(down.result.error.code, 'UPSTREAM_UNREACHABLE')
  })
})
