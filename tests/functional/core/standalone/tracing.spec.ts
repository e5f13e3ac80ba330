import { createRequire } from 'node:module'
import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { freePort } from '#tests/world/free_port'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { issuer } from '#tests/world/prepare'
import { type RunningService, startService } from '#tests/world/service'

interface Span {
  name: string
  kind: number
  attributes: { key: string; value: Record<string, string | number> }[]
}

interface Export {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}

const SERVER = 2

test.group('Tracing', (group) => {
  let collector: TestHttpServer
  let service: RunningService

  group.setup(async () => {
    collector = await new TestHttpServer((_, response) => sendJson(response, {})).start()
    service = await startService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    })
    return async () => {
      await service.stop()
      await collector.stop()
    }
  })

  const spans = () =>
    collector.requests
      .filter(({ url }) => url === '/v1/traces')
      .map(({ body }) => JSON.parse(body) as Export)
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans)

  const attribute = ({ attributes }: Span, name: string) => {
    const found = attributes.find(({ key }) => key === name)
    return found && Object.values(found.value)[0]
  }

  const spanOf = (name: string) =>
    eventually(`a span ${name}`, () =>
      spans().find((span) => span.kind === SERVER && span.name === name)
    )

  test('sends a span of each request to the collector', async ({ assert }) => {
    await fetch(`${service.url}/api/profile/me`)
    const span = await spanOf('GET /api/profile/me')
    assert.equal(attribute(span, 'http.route'), '/api/profile/me')
    const status =
      attribute(span, 'http.response.status_code') ?? attribute(span, 'http.status_code')
    assert.equal(Number(status), 401)
  })

  test('sends neither users nor content', async ({ assert }) => {
    const email = uniqueEmail()
    const token = await issuer.token(email)
    const marker = uniqueCode()
    const headers = { 'authorization': `Bearer ${token}`, 'user-agent': marker }
    await fetch(`${service.url}/api/profile/${email}?token=${marker}`, { headers })
    await fetch(`${service.url}/api/unsubscribe/${marker}`)
    await spanOf('GET /api/profile/:email')
    await spanOf('GET /api/unsubscribe/:token')
    const sent = collector.requests.map(({ body }) => body).join()
    for (const secret of [email, token, marker, process.env.DATABASE_URL ?? marker]) {
      assert.notInclude(sent, secret)
    }
  })

  test('sends the last spans before the service ends', async ({ assert, cleanup }) => {
    const slow = await startService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '60000',
    })
    cleanup(async () => void (await slow.stop()))
    await fetch(`${slow.url}/api/idp/discovery`)
    assert.equal(await slow.stop(), 0)
    await spanOf('GET /api/idp/discovery')
  })

  test('does not affect requests when the collector is down', async ({ assert, cleanup }) => {
    const alone = await startService({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    })
    cleanup(async () => void (await alone.stop()))
    const response = await fetch(`${alone.url}/api/health/live`)
    assert.equal(response.status, 200)
    const started = performance.now()
    assert.equal(await alone.stop(), 0)
    assert.isBelow(performance.now() - started, 5_000)
  })

  test('is not loaded without a collector', ({ assert }) => {
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    assert.isAbove(loaded.length, 100)
    assert.isEmpty(loaded.filter((file) => /@opentelemetry\/(sdk|instrumentation)/.test(file)))
  })
})
