import { mkdtemp, rm } from 'node:fs/promises'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { test } from '@japa/runner'
import {
  DEVELOPMENT_ACCOUNTS,
  type RunningIdentityProvider,
  startIdentityProvider,
} from '#development/identity_provider/main'
import { aMachine } from '#tests/helpers/command_line'
import { eventually } from '#tests/helpers/eventually'
import { connectDevice } from '#tests/unit/development/devices'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { type RunningService, startService } from '#tests/world/service'

const [, , alan] = DEVELOPMENT_ACCOUNTS
const PROJECT_ID = '320000000000000001'

let provider: RunningIdentityProvider
let service: RunningService

async function begin() {
  const folder = await mkdtemp(join(tmpdir(), 'concierge-device-'))
  provider = await startIdentityProvider({
    host: '127.0.0.1',
    port: 0,
    keysFile: join(folder, 'signing.json'),
    clientId: 'concierge-development',
    audience: [PROJECT_ID],
    redirectUris: ['http://127.0.0.1:3333/api/idp/callback'],
  })
  service = await startService({ IDP_ISSUER: provider.issuer, IDP_AUDIENCE: PROJECT_ID })
  return async () => {
    await service.stop()
    await provider.close()
    await rm(folder, { recursive: true })
  }
}

test.group('concierge login', (group) => {
  group.setup(begin)

  test('signs in with a code and refreshes the token before it expires', async ({ assert }) => {
    const machine = aMachine()
    const child = machine.start(['login', '--url', service.url])
    let shown = ''
    child.stderr!.on('data', (chunk) => (shown += chunk))
    const address = await eventually(
      'it shows an address',
      () => /^Open (\S+)\nand confirm the code \S+/m.exec(shown)?.[1]
    )
    assert.include(await connectDevice(address, alan.email), 'Connected')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0, shown)
    assert.include(shown, alan.email)

    const doctor = await machine.run(['doctor', '--output', 'json'])
    assert.containSubset(JSON.parse(doctor.stdout), [
      { check: 'token', result: 'ok', detail: `${alan.email}, not an administrator` },
      { check: 'description', result: 'ok' },
      { check: 'identity provider', result: 'ok' },
      { check: 'checks', result: 'ok' },
      { check: 'clock', result: 'ok' },
    ])
    assert.equal(doctor.code, 0)

    const read = () => JSON.parse(readFileSync(machine.profiles, 'utf8'))
    const content = read()
    const before = content.profiles.default
    content.profiles.default = { ...before, token: 'ended', expiresAt: Date.now() - 1_000 }
    writeFileSync(machine.profiles, JSON.stringify(content))
    assert.equal((await machine.run(['apps', 'list'])).code, 0)
    assert.isAbove(read().profiles.default.expiresAt, Date.now())

    content.profiles.default.refreshToken = 'withdrawn'
    writeFileSync(machine.profiles, JSON.stringify(content))
    const ended = await machine.run(['apps', 'list'])
    assert.equal(ended.code, 1)
    assert.include(ended.stderr, 'concierge login')
  }).timeout(120_000)

  test('reports an unknown client', async ({ assert }) => {
    const args = ['login', '--url', service.url, '--client-id', 'unknown']
    const { code, stderr } = await aMachine().run(args)
    assert.equal(code, 1)
    assert.include(stderr, '--client-id')
  })
})

test.group('concierge login, at another provider', () => {
  test('polls at most once a second', async ({ assert, cleanup }) => {
    const other: TestHttpServer = await new TestHttpServer(({ url = '' }, response) => {
      if (url.endsWith('/discovery')) {
        const endpoint = (name: string) => `${other.url}/${name}`
        return sendJson(response, {
          device_authorization_endpoint: endpoint('device'),
          token_endpoint: endpoint('token'),
        })
      }
      if (url.endsWith('/device')) {
        const code = { device_code: 'x', user_code: 'y', verification_uri: other.url }
        return sendJson(response, { ...code, interval: 0.001, expires_in: 2 })
      }
      sendJson(response, { error: 'authorization_pending' }, 400)
    }).start()
    cleanup(() => other.stop())

    const { code, stderr } = await aMachine().run(['login', '--url', other.url])
    assert.include(stderr, 'The code has expired')
    assert.equal(code, 1)
    const polls = other.requests.filter(({ url }) => url === '/token')
    assert.oneOf(polls.length, [1, 2])
  }).timeout(120_000)
})

test.group('concierge doctor', () => {
  test('reports an unreachable service with its own exit code', async ({ assert }) => {
    const { code, stdout } = await aMachine().run(['doctor', '--url', 'http://127.0.0.1:9'])
    assert.equal(code, 3)
    assert.match(stdout, /^fail +service/)
  })
})
