import { test } from '@japa/runner'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { credentials } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'
import { type RunningService, startService } from '#tests/world/service'

const PLACES = 10
const CROWD = 10 * PLACES
// The share of one address.
const CHECKERS = Math.floor(PLACES / 4)
const SECONDS = 3

test.group('Ten times the capacity', (group) => {
  let service: RunningService

  group.setup(async () => {
    service = await startService({
      MAX_IN_FLIGHT_CHECKS: String(PLACES),
      MAX_IN_FLIGHT_SENDS: String(PLACES),
      MAX_IN_FLIGHT_OTHER: String(PLACES),
      RATE_LIMIT_TOKEN: '100',
    })
    return async () => void (await service.stop())
  })

  test('results in 200, 429 or 503, and checks keep their share', async ({ assert }) => {
    const appCode = uniqueCode('shop')
    const admin = await credentials('token')
    const internal = await credentials('internal')
    const token = { authorization: `Bearer ${await issuer.token(uniqueEmail())}` }
    const ask = async (method: string, path: string, headers: object, body?: object) => {
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      })
      await response.arrayBuffer()
      return response
    }
    await ask('POST', '/api/applications', admin, { code: appCode, name: 'Shop' })

    const until = performance.now() + SECONDS * 1_000
    const statuses = { sends: new Map<number, number>(), other: new Map<number, number>() }
    const checks: number[] = []
    const untilOver = async (work: () => Promise<unknown>) => {
      while (performance.now() < until) await work()
    }
    const count = (counts: Map<number, number>, { status, headers }: Response) => {
      counts.set(status, (counts.get(status) ?? 0) + 1)
      if (status !== 200) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    const data = { subject: 'Hello', body: 'You' }
    await Promise.all([
      ...Array.from({ length: CROWD }, () =>
        untilOver(async () => {
          const message = { recipientEmail: uniqueEmail(), appCode, type: 'generic', data }
          const response = await ask('POST', '/api/internal/notifications', internal, message)
          count(statuses.sends, response)
        })
      ),
      ...Array.from({ length: CROWD }, () =>
        untilOver(async () => count(statuses.other, await ask('GET', '/api/profile/me', token)))
      ),
      ...Array.from({ length: CHECKERS }, () =>
        untilOver(async () => {
          const question = { email: uniqueEmail(), app: appCode, permission: 'read' }
          checks.push((await ask('POST', '/api/check', {}, question)).status)
        })
      ),
    ])

    // One key gets a quarter of the places.
    assert.includeMembers([200, 429], [...statuses.sends.keys()])
    assert.isAbove(statuses.sends.get(200) ?? 0, 0)
    assert.isAbove(statuses.sends.get(429) ?? 0, 0)
    assert.includeMembers([200, 429, 503], [...statuses.other.keys()])
    assert.isAbove(statuses.other.get(429) ?? 0, 0)
    assert.isAtLeast(checks.length, CHECKERS)
    assert.isTrue(checks.every((status) => status === 200))
    assert.isNull(service.process.exitCode)
    assert.equal((await ask('GET', '/api/health/ready', {})).status, 200)
  })
})
