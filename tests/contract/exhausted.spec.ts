import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { test } from '@japa/runner'
import { transaction } from '#core/database/transaction'
import { acceptSigningKey } from '#app/identity_provider/actions/accept_signing_key'
import { codeOf } from '#tests/contract/ask'
import { type Target, targets } from '#tests/contract/targets'
import { aBroadcast, pathOf } from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { anApplication } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { credentials } from '#tests/helpers/send'
import { freePort } from '#tests/world/free_port'
import { HOOK_KEY } from '#tests/helpers/signature'
import { TestIssuer } from '#tests/world/issuer'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { type RunningService, startService } from '#tests/world/service'

const name = ({ method, pattern }: Target) => `${method} ${pattern}`
const takesToken = ({ operation }: Target) => operation.security.some((one) => 'token' in one)

/** Limited by failed authentications alone. */
const LIMITS_FAILURES_ONLY = /^\/metrics$/

/** Operations described with the code that answer another. */
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

test.group('Every operation of a service whose callers have used up their limits', (group) => {
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

  test('says so, and while the issuer of tokens is away, that', async ({ assert, client }) => {
    await transaction((trx) => acceptSigningKey(HOOK_KEY, trx))
    const all = await targets(client, 'http://127.0.0.1:1')
    const token = await issuer.token(SUPER_ADMIN)
    const headers = (target: Target): Record<string, string> =>
      takesToken(target) ? { authorization: `Bearer ${token}` } : {}
    const counted = all.filter(({ pattern }) => !LIMITS_FAILURES_ONLY.test(pattern))
    const limited = await without('RATE_LIMITED', counted, async (target) => {
      const twist = { headers: headers(target) }
      const first = await codeOf(target, twist, service.url)
      return first === 'RATE_LIMITED' ? first : codeOf(target, twist, service.url)
    })
    assert.deepEqual(limited, [])

    const unknown = await issuer.token(SUPER_ADMIN, { header: { kid: 'unknown' } })
    await issuer.stop()
    const away = await without('UPSTREAM_UNREACHABLE', all.filter(takesToken), (target) =>
      codeOf(target, { headers: { authorization: `Bearer ${unknown}` } }, service.url)
    )
    assert.deepEqual(away, [])
  })
})

/** Fifty at a time have a place there, and none stays. */
const ALWAYS_HAS_PLACE = /^\/(?:api\/health\/|metrics$)/

test.group('Every operation of a service without a place left', (group) => {
  let service: RunningService
  let internalUrl: string

  group.setup(async () => {
    const port = await freePort()
    internalUrl = `http://127.0.0.1:${port}`
    const classes = ['CHECKS', 'SENDS', 'OTHER']
    service = await startService({
      ...sameDatabase(),
      ...Object.fromEntries(classes.map((one) => [`MAX_IN_FLIGHT_${one}`, '1'])),
      NODE_ENV: 'production',
      INTERNAL_PORT: String(port),
    })
    return async () => void (await service.stop())
  })

  /** A request that stays, as its body never comes. */
  async function hold(method: string, path: string, url = service.url): Promise<Socket> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname).on('error', () => {})
    await once(socket, 'connect')
    const all = { ...(await credentials('token')), ...(await credentials('internal')) }
    const headers = Object.entries({ 'host': 'x', ...all, 'content-type': 'application/json' })
    const lines = headers.map(([key, value]) => `${key}: ${value}\r\n`)
    const length = method === 'GET' ? '' : 'content-length: 2\r\n'
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n`)
    return socket
  }

  test('says so, and once there is one again, those that are not here do', async ({
    assert,
    client,
  }) => {
    const all = await targets(client, 'http://127.0.0.1:1')
    const application = await anApplication()
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const held = await Promise.all([
      hold('PUT', '/api/profile/me'),
      hold('POST', '/api/profile/me/check'),
      hold('GET', pathOf(application, `${id}/stream`)),
      hold('POST', '/api/check', internalUrl),
      hold('PUT', '/api/internal/auth/profile-sync', internalUrl),
    ])
    const crowded = all.filter(({ pattern }) => !ALWAYS_HAS_PLACE.test(pattern))
    await eventually('there is no place left', async () => {
      return (
        (await without('OVERLOADED', crowded, (target) => codeOf(target, {}, service.url)))
          .length === 0
      )
    })
    held.forEach((socket) => socket.destroy())

    const hidden = all.filter(({ pattern }) => !pattern.startsWith('/docs/errors/'))
    const visible = await without('NOT_FOUND', hidden, (target) =>
      eventually('there is a place', async () => {
        const code = (await codeOf(target, {}, service.url)) ?? 'none'
        return code !== 'OVERLOADED' && code
      })
    )
    assert.deepEqual(visible, [])
  })
})
