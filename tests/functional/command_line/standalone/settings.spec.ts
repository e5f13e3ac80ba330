import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { serviceUrl } from '#tests/helpers/send'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

/** A machine whose profile file has this content. */
function aMachineWith(content: string, mode = 0o600) {
  const machine = aMachine()
  mkdirSync(dirname(machine.profiles), { recursive: true, mode: 0o700 })
  writeFileSync(machine.profiles, content)
  chmodSync(machine.profiles, mode)
  return machine
}

const profilesOf = (profiles: object, current = 'default') => JSON.stringify({ current, profiles })

/** Another service, which records its requests. */
async function anotherService() {
  return new TestHttpServer(({ url }, response) => {
    const isCheck = url!.startsWith('/api/check')
    sendJson(response, { success: true, data: isCheck ? { allowed: false } : [] })
  }).start()
}

test.group('concierge, settings', () => {
  test('login saves a token readable only by the user, and logout removes it', async ({
    assert,
  }) => {
    const machine = aMachine()
    const token = await issuer.token(SUPER_ADMIN)
    const args = ['login', '--url', `${serviceUrl()}/api/`, '--token', '-', '--internal-key', 'key']
    args.push('--check-key', 'check-key')
    const login = await machine.run(args, { input: `${token}\n` })
    assert.equal(login.code, 0, login.stderr)
    assert.include(login.stderr, SUPER_ADMIN)
    assert.equal(statSync(machine.profiles).mode & 0o777, 0o600)
    assert.equal(statSync(dirname(machine.profiles)).mode & 0o777, 0o700)

    const listed = await machine.run(['profiles', 'list', '--output', 'json'])
    assert.containSubset(JSON.parse(listed.stdout), [
      {
        name: 'default',
        current: true,
        url: serviceUrl(),
        signedIn: true,
        hasInternalKey: true,
        hasCheckKey: true,
      },
    ])
    assert.notInclude(login.stdout + login.stderr + listed.stdout, token)
    assert.equal((await machine.run(['apps', 'list'])).code, 0)

    assert.equal((await machine.run(['logout'])).code, 0)
    assert.notInclude(readFileSync(machine.profiles, 'utf8'), token)
    const after = await machine.run(['apps', 'list'])
    assert.equal(after.code, 1)
    assert.include(after.stderr, 'UNAUTHENTICATED')
  }).timeout(120_000)

  test('a rejected token is not saved', async ({ assert }) => {
    const machine = aMachine()
    const { code, stderr } = await machine.run(['login', '--url', serviceUrl(), '--token', 'wrong'])
    assert.equal(code, 1)
    assert.include(stderr, 'UNAUTHENTICATED')
    assert.throws(() => statSync(machine.profiles))
  })

  test('options override the environment, which overrides the profile', async ({
    assert,
    cleanup,
  }) => {
    const worlds = [await anotherService(), await anotherService(), await anotherService()]
    cleanup(async () => void (await Promise.all(worlds.map((world) => world.stop()))))
    const [flag, env, profile] = worlds
    const machine = aMachineWith(profilesOf({ default: { url: profile.url, token: 'of-profile' } }))
    const list = ['apps', 'list']
    await machine.run(list)
    await machine.run(list, { env: { CONCIERGE_URL: env.url, CONCIERGE_TOKEN: 'of-env' } })
    await machine.run([...list, '--url', flag.url, '--token', 'of-flag'], {
      env: { CONCIERGE_URL: env.url, CONCIERGE_TOKEN: 'of-env' },
    })
    const heard = worlds.map(({ requests }) => requests.map(({ headers }) => headers.authorization))
    assert.deepEqual(heard, [['Bearer of-flag'], ['Bearer of-env'], ['Bearer of-profile']])
  }).timeout(120_000)

  test('credentials of a profile are never sent to another service', async ({
    assert,
    cleanup,
  }) => {
    const other = await anotherService()
    cleanup(() => other.stop())
    const secrets = { token: 'secret-token', internalKey: 'secret-key', checkKey: 'secret-check' }
    const machine = aMachineWith(profilesOf({ default: { url: serviceUrl(), ...secrets } }))
    await machine.run(['apps', 'list', '--url', other.url])
    await machine.run(['notify', 'a@b.example', 'shop', 'generic', '--url', other.url])
    await machine.run(['check', 'a@b.example', 'shop', 'read', '--url', other.url])
    // A denied check is explained, too.
    assert.lengthOf(other.requests, 4)
    assert.notInclude(JSON.stringify(other.requests.map(({ headers }) => headers)), 'secret')
  }).timeout(120_000)

  test('credentials in the environment are never sent to the service of a chosen profile', async ({
    assert,
    cleanup,
  }) => {
    const other = await anotherService()
    cleanup(() => other.stop())
    const machine = aMachineWith(profilesOf({ staging: { url: other.url } }))
    const env = {
      CONCIERGE_URL: serviceUrl(),
      CONCIERGE_TOKEN: 'secret-token',
      CONCIERGE_INTERNAL_KEY: 'secret-key',
    }
    const notify = ['notify', 'a@b.example', 'shop', 'generic', '--profile', 'staging']
    await machine.run(['apps', 'list', '--profile', 'staging'], { env })
    await machine.run(notify, { env })
    await machine.run(notify, { env: { ...env, CONCIERGE_URL: undefined } })
    const keys = other.requests.map(({ headers }) => [
      headers.authorization,
      headers['x-internal-api-key'],
    ])
    const meantForAnyService = 'secret-key'
    assert.deepEqual(keys, [
      [undefined, undefined],
      [undefined, undefined],
      [undefined, meantForAnyService],
    ])
  }).timeout(120_000)

  test('doctor reports a server that is not Concierge', async ({ assert, cleanup }) => {
    const other = await anotherService()
    cleanup(() => other.stop())
    const machine = aMachine()
    const args = ['doctor', '--url', other.url, '--token', 'token', '--internal-key', 'key']
    const { code, stdout, stderr } = await machine.run(args)
    assert.equal(code, 1, stderr)
    assert.match(stdout, /fail {2}identity provider +The server is not Concierge/)
  }).timeout(120_000)

  test('an expiring token is refreshed once at a time with the latest refresh token', async ({
    assert,
    cleanup,
  }) => {
    let renewals = 0
    const refused: string[] = []
    const world = await new TestHttpServer((request, response) => {
      if (request.url !== '/token') return sendJson(response, { success: true, data: [] })
      const given = new URLSearchParams(TestHttpServer.bodyOf(request).toString()).get(
        'refresh_token'
      )
      if (given !== `refresh-${renewals}`) {
        refused.push(given!)
        return sendJson(response, { error: 'invalid_grant' }, 400)
      }
      renewals++
      const tokens = { access_token: `access-${renewals}`, refresh_token: `refresh-${renewals}` }
      sendJson(response, { ...tokens, expires_in: 30 })
    }).start()
    cleanup(() => world.stop())
    const kept = { token: 'access-0', expiresAt: 1, refreshToken: 'refresh-0', clientId: 'cli' }
    const profile = { url: world.url, ...kept, tokenEndpoint: `${world.url}/token` }
    const machine = aMachineWith(profilesOf({ default: profile }))
    const { code, stderr } = await machine.run(['templates', 'pull', 'shop', 'texts'])
    assert.equal(code, 0, stderr)
    await machine.run(['doctor'])
    assert.isEmpty(refused)
    assert.isAbove(renewals, 2)
    const sent = world.requests.flatMap(({ headers }) => headers.authorization ?? [])
    assert.notInclude(sent, 'Bearer access-0')
    const { profiles } = JSON.parse(readFileSync(machine.profiles, 'utf8'))
    assert.equal(profiles.default.refreshToken, `refresh-${renewals}`)
  }).timeout(120_000)

  test('credentials are never sent to a redirect target', async ({ assert, cleanup }) => {
    const thief = await anotherService()
    const gateway = await new TestHttpServer((_, response) => {
      response.writeHead(307, { location: `${thief.url}/take` }).end()
    }).start()
    cleanup(async () => void (await Promise.all([thief.stop(), gateway.stop()])))
    const env = { ...(await operator()), CONCIERGE_URL: gateway.url }
    const { code } = await machineNotifies(env)
    assert.equal(code, 3)
    assert.isEmpty(thief.requests)
  }).timeout(120_000)

  for (const [title, content] of Object.entries({
    'is no JSON': '{"profiles": {"default": {"token": "hidden-secret"',
    'is a list': '["hidden-secret"]',
    'has an address of another kind': profilesOf({ default: { url: 'file:///hidden-secret' } }),
    'has a password in the address': profilesOf({ default: { url: 'http://u:hidden-secret@x' } }),
    'has a token that is no text': profilesOf({ default: { url: 'http://x', token: {} } }),
    'has a token with a line break': profilesOf({
      default: { url: 'http://127.0.0.1:9', token: 'hidden-secret\nx: y' },
    }),
    'has a name that moves the cursor': profilesOf({ '\u001b[2Jx': { url: 'http://x' } }),
    'has a prototype for a name': '{"profiles": {"__proto__": {"url": "http://x"}}}',
  })) {
    test(`a file of profiles that ${title} is refused in one line, without its secrets`, async ({
      assert,
    }) => {
      const { code, stdout, stderr } = await aMachineWith(content).run(['apps', 'list'])
      assert.equal(code, 64, stderr)
      assert.equal(stdout, '')
      assert.notInclude(stderr, 'hidden-secret')
      assert.notInclude(stderr, '\u001b')
      assert.notMatch(stderr, /\bat .+:\d+|node:|file:/)
      assert.match(stderr, /^error: /)
    })
  }

  test('warns when others can read the profile file', async ({ assert }) => {
    const machine = aMachineWith(profilesOf({}), 0o644)
    const profile = { url: serviceUrl(), token: 'x' }
    writeFileSync(machine.profiles, profilesOf({ default: profile }))
    const { stderr } = await machine.run(['apps', 'list'])
    assert.include(stderr, 'others can read')
  })

  test('switches between several profiles', async ({ assert }) => {
    const two = { one: { url: 'http://one.example' }, two: { url: 'http://two.example' } }
    const machine = aMachineWith(profilesOf(two, 'one'))
    assert.equal((await machine.run(['profiles', 'use', 'two'])).code, 0)
    assert.equal((await machine.run(['profiles', 'remove', 'one'])).code, 64, 'nobody agreed')
    assert.equal((await machine.run(['profiles', 'remove', 'one', '--yes'])).code, 0)
    assert.deepEqual(JSON.parse(readFileSync(machine.profiles, 'utf8')), {
      current: 'two',
      profiles: { two: { url: 'http://two.example' } },
    })
    assert.equal((await machine.run(['profiles', 'use', 'one'])).code, 64)
  }).timeout(120_000)
})

const machineNotifies = (env: Record<string, string>) =>
  aMachine().run(['notify', 'a@b.example', 'shop', 'generic'], { env })
