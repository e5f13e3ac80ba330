import { test } from '@japa/runner'
import { transaction } from '#core/database/transaction'
import { storeSigningKey } from '#app/identity_provider/signatures/store_signing_key'
import { problemCodeOf } from '#tests/contract/problem_code_of'
import { type Target, targets } from '#tests/contract/targets'
import { fillAllClasses, takeShareOf } from '#tests/helpers/occupied_places'
import { uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { freePort } from '#tests/world/free_port'
import { HOOK_KEY } from '#tests/helpers/signature'
import { TestIssuer } from '#tests/world/issuer'
import { type RunningService, startService } from '#tests/world/service'

const name = ({ method, pattern }: Target) => `${method} ${pattern}`
const takesToken = ({ operation }: Target) => operation.security.some((one) => 'token' in one)

/** Operations without a limit per minute, or limited only after failed authentications. */
const WITHOUT_LIMIT = /^\/(?:api\/health\/|metrics$)/

/** Operations that return another code than the documented one. */
async function without(
  code: string,
  all: Target[],
  ask: (target: Target) => Promise<string | undefined>
) {
  const found: string[] = []
  for (const target of all.filter(({ operation }) => operation['x-errors'].includes(code))) {
    const answered = await ask(target)
    if (answered !== code) found.push(`${name(target)}: ${answered}`)
  }
  return found
}

test.group('Every operation of a service with exhausted limits', (group) => {
  let issuer: TestIssuer
  let service: RunningService

  group.setup(async () => {
    issuer = await new TestIssuer().start()
    const classes = ['TOKEN', 'INTERNAL', 'WEBHOOK', 'PUBLIC', 'CHECK']
    service = await startService({
      ...sameDatabase(),
      ...Object.fromEntries(classes.map((one) => [`RATE_LIMIT_${one}`, '1'])),
      IDP_ISSUER: issuer.url,
    })
    return async () => {
      await service.stop()
      await issuer.stop()
    }
  })

  test('reports its limit, or that the issuer is unavailable', async ({ assert, client }) => {
    await transaction((trx) => storeSigningKey(HOOK_KEY, trx))
    const all = await targets(client, 'http://127.0.0.1:1')
    const email = uniqueEmail()
    const token = await issuer.token(email)
    const headers = (target: Target): Record<string, string> =>
      takesToken(target) ? { authorization: `Bearer ${token}` } : {}
    const counted = all.filter(({ pattern }) => !WITHOUT_LIMIT.test(pattern))
    const limited = await without('RATE_LIMITED', counted, async (target) => {
      const twist = { headers: headers(target) }
      const first = await problemCodeOf(target, twist, service.url)
      return first === 'RATE_LIMITED' ? first : problemCodeOf(target, twist, service.url)
    })
    assert.deepEqual(limited, [])

    const unknown = await issuer.token(email, { header: { kid: 'unknown' } })
    await issuer.stop()
    const away = await without('UPSTREAM_UNREACHABLE', all.filter(takesToken), (target) =>
      problemCodeOf(target, { headers: { authorization: `Bearer ${unknown}` } }, service.url)
    )
    assert.deepEqual(away, [])
  }).timeout(180_000)
})

test.group('Every operation', () => {
  test('of a full class is 503', async ({ assert, client }) => {
    const all = await targets(client, 'http://127.0.0.1:1')
    const leave = fillAllClasses()
    const served = await without('OVERLOADED', all, (target) => problemCodeOf(target)).finally(
      leave
    )
    assert.deepEqual(served, [])
  })

  test('is 429 for an address that has its share of a class', async ({ assert, client }) => {
    const all = await targets(client, 'http://127.0.0.1:1')
    const leave = takeShareOf('127.0.0.1')
    const served = await without('RATE_LIMITED', all, (target) => problemCodeOf(target)).finally(
      leave
    )
    assert.deepEqual(served, [])
  })
})

test.group('Operations that a listener does not serve', (group) => {
  let service: RunningService

  group.setup(async () => {
    const port = await freePort()
    const production = { NODE_ENV: 'production', INTERNAL_PORT: String(port), DOCS: 'off' }
    service = await startService({ ...sameDatabase(), ...production })
    return async () => void (await service.stop())
  })

  test('do not exist there', async ({ assert, client }) => {
    const all = await targets(client, 'http://127.0.0.1:1')
    const hidden = all.filter(({ pattern }) => !/^\/(?:docs\/errors\/|panel)/.test(pattern))
    const visible = await without('NOT_FOUND', hidden, (target) =>
      problemCodeOf(target, {}, service.url)
    )
    assert.deepEqual(visible, [])
  })
})

test.group('Operations that settings restrict', (group) => {
  let service: RunningService

  group.setup(async () => {
    const settings = { CHECK_KEYS: 'check-key-of-the-tests-0123456789abcdef', DOCS: 'private' }
    service = await startService({ ...sameDatabase(), ...settings })
    return async () => void (await service.stop())
  })

  test('require the check key', async ({ assert, client }) => {
    const all = await targets(client, 'http://127.0.0.1:1')
    const guarded = all.filter(({ pattern }) => /^\/(?:metrics|api\/check)/.test(pattern))
    const open = await without('UNAUTHENTICATED', guarded, (target) =>
      problemCodeOf(target, {}, service.url)
    )
    assert.deepEqual(open, [])
  })

  test('show the documentation to the private network only', async ({ assert, client }) => {
    const all = await targets(client, 'http://127.0.0.1:1')
    const docs = all.filter(({ pattern }) => /^\/(?:docs|api\/openapi\.json)/.test(pattern))
    const outside = { headers: { 'x-forwarded-for': '203.0.113.9' } }
    const open = await without('FORBIDDEN', docs, (target) =>
      problemCodeOf(target, outside, service.url)
    )
    assert.deepEqual(open, [])
  })
})
