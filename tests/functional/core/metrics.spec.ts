import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { credentials, problemOf, serviceUrl } from '#tests/helpers/send'
import { freePort } from '#tests/world/free_port'
import { type RunningService, startService } from '#tests/world/service'

type Metrics = Map<string, number>

async function metricsOf(url: string): Promise<Metrics> {
  const response = await fetch(`${url}/metrics`)
  const lines = (await response.text()).split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))])
  )
}

const requests = (metrics: Metrics, method: string, route: string, status: number) =>
  metrics.get(
    `concierge_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`
  ) ?? 0

const check = (url: string, resourceId: string, app = 'shop') =>
  fetch(`${url}/api/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'ada@tests.example',
      app,
      permission: 'read',
      resourceType: 'thing',
      resourceId,
    }),
  })

test.group('Metrics', () => {
  test('describe the process, requests, checks, database and background work', async ({
    assert,
  }) => {
    await check(serviceUrl(), '1')
    const response = await fetch(`${serviceUrl()}/metrics`)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    const text = await response.text()
    for (const name of [
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_seconds',
      'concierge_http_request_duration_seconds_bucket',
      'concierge_http_requests_in_flight',
      'concierge_http_refused_total',
      'concierge_check_cache_decisions_total',
      'concierge_check_cache_size',
      'concierge_database_connections',
      'concierge_database_replica_reads_total',
    ]) {
      assert.match(text, new RegExp(`^${name}[{ ]`, 'm'))
    }
    for (const name of ['concierge_deliveries_total', 'concierge_outbox_backlog']) {
      assert.include(text, `# TYPE ${name} `)
    }
  })

  test('count requests by the pattern of their route', async ({ assert }) => {
    const headers = await credentials('token')
    const before = await metricsOf(serviceUrl())
    const email = uniqueEmail()
    for (let time = 0; time < 3; time++) {
      const response = await fetch(`${serviceUrl()}/api/profile/${email}`, { headers })
      await response.body?.cancel()
    }
    await fetch(`${serviceUrl()}/api/profile/me`)
    const after = await metricsOf(serviceUrl())
    const growth = (method: string, route: string, status: number) =>
      requests(after, method, route, status) - requests(before, method, route, status)
    assert.equal(growth('GET', '/api/profile/:email', 404), 3)
    assert.equal(growth('GET', '/api/profile/me', 401), 1)
    assert.isFalse([...after.keys()].some((key) => key.includes('@')))
  })

  test('have a bounded number of labels whatever paths and methods are requested', async ({
    assert,
  }) => {
    const tried = async (path: string, method: string) =>
      (await fetch(`${serviceUrl()}${path}`, { method })).body?.cancel()
    await tried('/warm-up', 'GET')
    await tried('/warm-up', 'PROPFIND')
    const before = await metricsOf(serviceUrl())
    for (let time = 0; time < 10; time++) {
      await tried(`/${uniqueCode()}`, 'GET')
      await tried(`/${uniqueCode()}`, time % 2 === 0 ? 'REPORT' : 'PROPFIND')
    }
    const after = await metricsOf(serviceUrl())
    const requestSeries = (metrics: Metrics) =>
      [...metrics.keys()].filter((key) => key.includes('route="none"'))
    assert.deepEqual(requestSeries(after), requestSeries(before))
    assert.equal(requests(after, 'other', 'none', 404) - requests(before, 'other', 'none', 404), 10)
  })

  test('count cache hits and misses', async ({ assert, client }) => {
    const { code } = await anApplication()
    await manageApplication(client, code).permission({ code: 'read' })
    const uniqueResource = uniqueCode()
    const results = ['hit', 'miss'].map(
      (result) => `concierge_check_cache_decisions_total{result="${result}"}`
    )
    const before = await metricsOf(serviceUrl())
    for (let time = 0; time < 3; time++) await check(serviceUrl(), uniqueResource, code)
    const after = await metricsOf(serviceUrl())
    assert.deepEqual(
      results.map((name) => after.get(name)! - before.get(name)!),
      [2, 1]
    )
  })

  test('are available on the private network only', async ({ assert }) => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const response = await fetch(`${serviceUrl()}/metrics`, { headers })
    assert.equal(response.status, 403)
    assert.equal((await problemOf(assert, response)).code, 'FORBIDDEN')
  })
})

test.group('Metrics with an internal listener', (group) => {
  let service: RunningService
  let internalUrl: string

  group.setup(async () => {
    const port = await freePort()
    internalUrl = `http://127.0.0.1:${port}`
    service = await startService({ INTERNAL_PORT: String(port) })
    return async () => void (await service.stop())
  })

  test('are available there, and not on the public one', async ({ assert }) => {
    const listed = await eventually('the internal listener responds', () =>
      fetch(`${internalUrl}/metrics`).catch(() => undefined)
    )
    assert.equal(listed.status, 200)
    for (const method of ['GET', 'HEAD', 'POST']) {
      const response = await fetch(`${service.url}/metrics`, { method })
      assert.equal(response.status, 404, method)
      assert.isNull(response.headers.get('allow'), method)
    }
  })
})

test.group('Metrics of several workers', (group) => {
  let service: RunningService

  group.setup(async () => {
    const settings = { WEB_CONCURRENCY: '2', ACCESS_LOG: 'true', LOG_LEVEL: 'info' }
    service = await startService(settings, 'bin/main.ts')
    return async () => void (await service.stop())
  })

  test('are aggregated by whichever worker receives the request', async ({ assert }) => {
    const before = await metricsOf(service.url)
    for (let time = 0; time < 20; time++) {
      // A connection per request, so that both workers get some.
      await fetch(`${service.url}/api/profile/me`, { headers: { connection: 'close' } })
    }
    for (let time = 0; time < 4; time++) {
      const after = await metricsOf(service.url)
      const count = (metrics: Metrics) => requests(metrics, 'GET', '/api/profile/me', 401)
      assert.equal(count(after) - count(before), 20)
      assert.isTrue(after.has('concierge_check_cache_size'))
      assert.isAbove(after.get('process_cpu_seconds_total')!, 0)
    }
  })

  test('are available while a worker is being replaced', async ({ assert }) => {
    const [victim, ...others] = await bothWorkers(service)
    const known = new Set([victim, ...others])
    process.kill(victim, 'SIGKILL')
    await eventually('its parent knows', () => !isThere(victim))
    let asked = 0
    await eventually(
      'its successor responds',
      async () => {
        asked++
        const startedAt = performance.now()
        const response = await alone(`${service.url}/metrics`)
        assert.equal(response.status, 200)
        assert.include(await response.text(), 'process_cpu_seconds_total')
        assert.isBelow(performance.now() - startedAt, 3_000)
        await (await alone(`${service.url}/api/health/live`)).body?.cancel()
        return [...workersThatResponded(service)].some((pid) => !known.has(pid))
      },
      30_000
    )
    assert.isAbove(asked, 3, 'they were read while only one worker responded')
  }).timeout(60_000)

  test('omit a worker that exits during the request', async ({ assert }) => {
    const victim = [...(await bothWorkers(service))].at(-1)!
    process.kill(victim, 'SIGSTOP')
    const ending = new AbortController()
    const statuses: number[] = []
    const ask = async (path: string) => {
      const response = await alone(`${service.url}${path}`, ending.signal)
      await response.body?.cancel()
      return response.status
    }
    const asking = several(4, () => ask('/metrics').then((status) => statuses.push(status)))
    const later = several(2, () => ask('/api/health/live'))
    await Promise.any(later)
    assert.isEmpty(statuses)
    process.kill(victim, 'SIGKILL')
    await eventually('they get responses', () => statuses.length >= 3, 3_000)
    ending.abort()
    await Promise.allSettled([...asking, ...later])
    assert.isTrue(statuses.every((status) => status === 200))
  }).timeout(30_000)
})

/** A connection per request, so that workers take turns. */
const alone = (url: string, signal?: AbortSignal) =>
  fetch(url, { headers: { connection: 'close' }, signal })

const several = <T>(count: number, make: () => T) => Array.from({ length: count }, make)

function isThere(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function workersThatResponded({ output }: RunningService) {
  const lines = output().matchAll(/"pid":(\d+).*"msg":"request"/g)
  return new Set([...lines].map(([, pid]) => Number(pid)))
}

function bothWorkers(service: RunningService) {
  const before = service.output().length
  const output = () => service.output().slice(before)
  return eventually(
    'two workers respond',
    async () => {
      await Promise.all(several(8, () => alone(`${service.url}/api/health/live`)))
      const pids = workersThatResponded({ ...service, output })
      return pids.size === 2 && pids
    },
    20_000
  )
}
