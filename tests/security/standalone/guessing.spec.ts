import { createHmac } from 'node:crypto'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { securityEvents } from '#tests/helpers/log_lines'
import { uniqueEmail } from '#tests/helpers/people'
import { readTextError } from '#tests/helpers/text_errors'
import { INTERNAL_KEY, WEBHOOK_SECRET, issuer } from '#tests/world/prepare'
import { TestIssuer } from '#tests/world/issuer'
import { startProductionService } from '#tests/world/production_service'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'

const CHECK_KEY = 'a-check-key-of-the-tests-0123456789ab'

interface Attempt {
  method: string
  path: string
  headers: Record<string, string>
}

const GUESSES: Record<string, Attempt> = {
  'a token': {
    method: 'GET',
    path: '/api/profile/me',
    headers: { authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl' },
  },
  'an internal key': {
    method: 'GET',
    path: '/api/internal/notifications/types?appCode=auth',
    headers: { 'x-internal-api-key': 'wrong' },
  },
  'a webhook secret': {
    method: 'POST',
    path: '/api/idp/webhook',
    headers: { 'x-webhook-secret': 'wrong' },
  },
  'a signature of an event': {
    method: 'POST',
    path: '/api/idp/webhook',
    headers: { 'idp-signature': signature() },
  },
  'a signature of a mail': {
    method: 'POST',
    path: '/api/idp/notifications/email',
    headers: { 'idp-signature': 'v1=00' },
  },
  'a token of an AuthZEN client': {
    method: 'POST',
    path: '/api/authzen/auth/access/v1/evaluation',
    headers: { authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl' },
  },
  'a check key': { method: 'POST', path: '/api/check', headers: { 'x-check-key': 'wrong' } },
}

function signature() {
  const mac = createHmac('sha256', 'a guess').update('x').digest('hex')
  return `t=${Math.floor(Date.now() / 1_000)},v1=${mac}`
}

async function attempt(service: RunningService, { method, path, headers }: Attempt, from?: string) {
  const response = await fetch(service.url + path, {
    method,
    headers: { ...headers, ...(from !== undefined && { 'x-forwarded-for': from }) },
  })
  const text = await response.text()
  const error = readTextError(response.headers.get('content-type'), text)
  const { code } = error ?? (JSON.parse(text) as { code?: string })
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') }
}

/** Sends the same guess several times in sequence, and returns the statuses. */
async function guess(service: RunningService, name: string, times: number, from?: string) {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) {
    statuses.push((await attempt(service, GUESSES[name], from)).status)
  }
  return statuses
}

const asPerson = async (): Promise<Attempt> => ({
  method: 'GET',
  path: '/api/profile/me',
  headers: { authorization: `Bearer ${await issuer.token(uniqueEmail())}` },
})
const asApplication: Attempt = {
  ...GUESSES['an internal key'],
  headers: { 'x-internal-api-key': INTERNAL_KEY },
}

test.group('Guessing credentials', (group) => {
  const running: RunningService[] = []
  const start = async (settings: ServiceSettings, begin = startService) => {
    const service = await begin({
      CHECK_KEYS: CHECK_KEY,
      TRUSTED_PROXIES: '127.0.0.1',
      ...settings,
    })
    running.push(service)
    return service
  }
  let strict: RunningService

  group.setup(async () => {
    strict = await start({ RATE_LIMIT_FAILED_AUTH: '3', CHECK_ALLOWED_NETWORKS: '0.0.0.0/0' })
    return async () => void (await Promise.all(running.map((service) => service.stop())))
  })

  test('is stopped after 60 wrong ones a minute by default in production', async ({ assert }) => {
    const service = await start(
      { RATE_LIMIT_FAILED_AUTH: undefined, TRUSTED_PROXIES: undefined },
      startProductionService
    )
    const statuses = await guess(service, 'an internal key', 70)
    assert.deepEqual(
      statuses,
      Array.from({ length: 70 }, (_, i) => (i < 60 ? 401 : 429))
    )
    const right = await attempt(service, asApplication)
    assert.equal(right.status, 429)
    assert.equal(right.code, 'RATE_LIMITED')
    assert.match(right.retryAfter!, /^(?:[1-9]|[1-5]\d|60)$/)

    await eventually('the events are logged', () => securityEvents(service, 'rate_limited')[0])
    const failed = securityEvents(service, 'auth_failed')
    assert.lengthOf(failed, 60)
    assert.containSubset(failed[0], {
      address: '127.0.0.1',
      code: 'UNAUTHENTICATED',
      route: '/api/internal/notifications/types',
    })
    assert.isString(failed[0].requestId)
    const limited = securityEvents(service, 'rate_limited')
    assert.lengthOf(limited, 1)
    assert.containSubset(limited[0], { address: '127.0.0.1', limit: 'failed_authentication' })
    assert.notMatch(service.output(), /: ?"wrong"/)
  })

  test('{$self} is counted, and throttled like valid credentials from the same address')
    .with(Object.keys(GUESSES))
    .run(async ({ assert }, name) => {
      const from = `10.1.0.${Object.keys(GUESSES).indexOf(name)}`
      assert.deepEqual((await guess(strict, name, 5, from)).slice(3), [429, 429])
      assert.equal((await attempt(strict, await asPerson(), from)).status, 429)
      assert.equal((await attempt(strict, asApplication, from)).status, 429)
    })

  test('with different kinds of credentials is counted together', async ({ assert }) => {
    const from = '10.2.0.1'
    await guess(strict, 'a token', 1, from)
    await guess(strict, 'an internal key', 1, from)
    await guess(strict, 'a webhook secret', 1, from)
    assert.deepEqual(await guess(strict, 'a check key', 1, from), [429])
  })

  test('does not throttle servers that pass on wrong tokens, but those with wrong keys', async ({
    assert,
  }) => {
    const service = await start({
      RATE_LIMIT_FAILED_AUTH: '3',
      CHECK_ALLOWED_NETWORKS: '0.0.0.0/0',
      APPLICATION_NETWORKS: '10.20.0.0/24, 2001:db8:20::/48',
    })
    for (const from of ['10.20.0.1', '2001:db8:20::1']) {
      assert.notInclude(await guess(service, 'a token', 6, from), 429)
      assert.equal((await attempt(service, await asPerson(), from)).status, 200)
      assert.equal((await attempt(service, asApplication, from)).status, 200)
      assert.deepEqual((await guess(service, 'an internal key', 4, from)).at(-1), 429)
    }
    const { headers } = GUESSES['a token']
    const both = { ...GUESSES['a check key'] }
    both.headers = { ...both.headers, ...headers }
    for (let time = 0; time < 3; time++) await attempt(service, both, '10.20.0.2')
    assert.equal((await attempt(service, both, '10.20.0.2')).status, 429)
    assert.deepEqual((await guess(service, 'a token', 4, '10.21.0.1')).at(-1), 429)
  })

  test('does not count genuine tokens that have expired', async ({ assert }) => {
    const from = '10.22.0.1'
    const exp = Math.floor(Date.now() / 1_000) - 3_600
    const token = await issuer.token(uniqueEmail(), { claims: { exp, iat: exp - 60 } })
    const expired = { ...(await asPerson()), headers: { authorization: `Bearer ${token}` } }
    for (let time = 0; time < 6; time++) {
      assert.equal((await attempt(strict, expired, from)).status, 401)
    }
    assert.equal((await attempt(strict, await asPerson(), from)).status, 200)
    const forged = {
      ...expired,
      headers: { authorization: `Bearer ${token.slice(0, -8)}AAAAAAAA` },
    }
    for (let time = 0; time < 3; time++) await attempt(strict, forged, from)
    assert.equal((await attempt(strict, await asPerson(), from)).status, 429)
  })

  test('does not throttle other addresses', async ({ assert }) => {
    await guess(strict, 'a token', 5, '10.3.0.1')
    assert.equal((await attempt(strict, await asPerson(), '10.3.0.2')).status, 200)
    assert.equal((await attempt(strict, asApplication, '10.3.0.2')).status, 200)
  })

  test('from the many addresses of one IPv6 network is counted as one', async ({ assert }) => {
    for (let i = 1; i <= 3; i++) await guess(strict, 'a token', 1, `2001:db8:1:2:${i}::${i}`)
    assert.deepEqual(await guess(strict, 'a token', 1, '2001:db8:1:2:ffff::1'), [429])
    assert.deepEqual(await guess(strict, 'a token', 1, '2001:db8:1:3::1'), [401])
  })

  test('from an IPv4 address in IPv6 form is counted as that address', async ({ assert }) => {
    await guess(strict, 'a token', 3, '::ffff:10.4.0.1')
    assert.deepEqual(await guess(strict, 'a token', 1, '10.4.0.1'), [429])
    assert.deepEqual(await guess(strict, 'a token', 1, '::ffff:10.4.0.2'), [401])
  })

  test('through a proxy that adds the port is counted for the address', async ({ assert }) => {
    for (let port = 1; port <= 3; port++) await guess(strict, 'a token', 1, `10.8.0.1:${port}`)
    assert.deepEqual(await guess(strict, 'a token', 1, '10.8.0.1:4711'), [429])
    assert.deepEqual(await guess(strict, 'a token', 1, '10.8.0.1'), [429])
    assert.deepEqual(await guess(strict, 'a token', 1, '10.8.0.2:1'), [401])
    const network = '2001:db8:8:1'
    for (let i = 1; i <= 3; i++) await guess(strict, 'a token', 1, `[${network}::${i}]:${i}`)
    assert.deepEqual(await guess(strict, 'a token', 1, `[${network}::1]`), [429])
    assert.deepEqual(await guess(strict, 'a token', 1, '[2001:db8:8:2::1]:1'), [401])
    for (const malformed of ['10.8.0.3:', '10.8.0.3:x', '[10.8.0.3', '10.8.0.3:1:1', '[::1]x:1']) {
      assert.include([401, 429], (await guess(strict, 'a token', 1, malformed))[0], malformed)
    }
    assert.deepEqual(await guess(strict, 'a token', 1, '10.8.0.3'), [401])
  })

  test('does not count tokens with unknown key ids until the keys may be reloaded', async ({
    assert,
  }) => {
    const own = await new TestIssuer().start()
    const service = await start({ RATE_LIMIT_FAILED_AUTH: '3', IDP_ISSUER: own.url })
    const me = (token: string, from: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return attempt(service, { method: 'GET', path: '/api/profile/me', headers }, from)
    }
    const email = uniqueEmail()
    const known = await own.token(email)
    assert.equal((await me(known, '10.9.0.1')).status, 200)
    const stranger = await own.token(email, { header: { kid: crypto.randomUUID() } })
    assert.equal((await me(stranger, '10.9.0.2')).status, 401)
    const before = await own.token(email)
    await own.rotate()
    const genuine = await own.token(email)
    for (let time = 0; time < 6; time++) {
      assert.equal((await me(genuine, '10.9.0.1')).status, 401)
    }
    assert.equal((await me(before, '10.9.0.1')).status, 200)
    await own.stop()
  })

  test('cannot use forged addresses without a trusted proxy', async ({ assert }) => {
    const service = await start({ RATE_LIMIT_FAILED_AUTH: '3', TRUSTED_PROXIES: undefined })
    const statuses: number[] = []
    for (let i = 1; i <= 5; i++) {
      statuses.push(...(await guess(service, 'an internal key', 1, `198.51.100.${i}`)))
    }
    assert.deepEqual(statuses, [401, 401, 401, 429, 429])
  })

  test('logs if clients share the address of an untrusted proxy', async ({ assert }) => {
    const service = await start(
      { RATE_LIMIT_FAILED_AUTH: '1', TRUSTED_PROXIES: undefined },
      startProductionService
    )
    await guess(service, 'a token', 3, '198.51.100.1')
    const [event] = await eventually('the event is logged', () => {
      const events = securityEvents(service, 'rate_limited')
      return events.length > 0 ? events : undefined
    })
    assert.include(String(event.hint), 'TRUSTED_PROXIES')
  })

  test('does not count requests without a credential, and logs at most 60 of them a minute', async ({
    assert,
  }) => {
    const service = await start({ RATE_LIMIT_FAILED_AUTH: '3' }, startProductionService)
    const from = '10.7.0.1'
    // In production, checks through a proxy are refused before the key is read.
    const guarded = Object.values(GUESSES).filter(({ path }) => path !== '/api/check')
    const bare = guarded.map((one) => ({ ...one, headers: {} }))
    for (let time = 0; time < 14; time++) {
      for (const one of bare) {
        assert.equal((await attempt(service, one, from)).status, 401, one.path)
      }
    }
    assert.equal((await attempt(service, await asPerson(), from)).status, 200)
    assert.equal((await attempt(service, asApplication, from)).status, 200)
    assert.deepEqual(await guess(service, 'a token', 4, from), [401, 401, 401, 429])
    await eventually('the guesses are logged', () => securityEvents(service, 'rate_limited')[0])
    assert.lengthOf(securityEvents(service, 'auth_failed'), 63)
  })

  test('does not count made-up tickets, which any web page can make browsers send', async ({
    assert,
  }) => {
    const from = '10.11.0.1'
    const path = '/api/profile/me/notifications/inbox/stream?ticket=made-up'
    for (let time = 0; time < 5; time++) {
      const { status } = await attempt(strict, { method: 'GET', path, headers: {} }, from)
      assert.equal(status, 401)
    }
    assert.equal((await attempt(strict, await asPerson(), from)).status, 200)
  })

  test('does not throttle routes without a credential', async ({ assert }) => {
    const from = '10.5.0.1'
    await guess(strict, 'a token', 5, from)
    for (const path of ['/api/health/live', '/api/idp/health', '/api/openapi.json']) {
      const response = await fetch(strict.url + path, { headers: { 'x-forwarded-for': from } })
      await response.arrayBuffer()
      assert.equal(response.status, 200, path)
    }
  })

  test('throttles every route with a credential', async ({ assert }) => {
    const from = '10.6.0.1'
    await guess(strict, 'a token', 3, from)
    const open =
      /^\/(?:$|docs|panel|concierge-inbox\.js|\.well-known|api\/(?:health|unsubscribe|idp\/(?:health|discovery|login|callback)|openapi\.json))/
    for (const { methods, pattern } of Object.values(router.toJSON()).flat()) {
      if (open.test(pattern)) continue
      const path = pattern.replaceAll(/:\w+/g, '1')
      const method = methods.find((one) => one !== 'HEAD')!
      const { status } = await attempt(strict, { method, path, headers: {} }, from)
      assert.equal(status, 429, `${method} ${pattern}`)
    }
  })

  test('is not throttled if the limit is 0', async ({ assert }) => {
    const service = await start({ RATE_LIMIT_FAILED_AUTH: '0' })
    const statuses = await guess(service, 'an internal key', 70)
    assert.isTrue(statuses.every((status) => status === 401))
    const secret = {
      ...GUESSES['a webhook secret'],
      headers: { 'x-webhook-secret': WEBHOOK_SECRET },
    }
    assert.notEqual((await attempt(service, secret)).status, 429)
  })
})
