import { test } from '@japa/runner'
import { fetchDiscovery } from '#app/auth/token/issuer'
import { eventually } from '#tests/helpers/eventually'
import { freePort } from '#tests/world/free_port'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { issuer } from '#tests/world/prepare'
import { type RunningService, startService } from '#tests/world/service'

const PATHS = ['/api/idp/health', '/api/idp/discovery']

test.group('Identity provider status', () => {
  test('health returns the address of the provider to anyone', async ({ assert, client }) => {
    const response = await client.get('/api/idp/health')
    response.assertStatus(200)
    assert.deepEqual(response.body(), { success: true, data: { idpUrl: issuer.url, status: 'ok' } })
  })

  test('discovery returns the document of the provider', async ({ assert, client }) => {
    const response = await client.get('/api/idp/discovery')
    response.assertStatus(200)
    const original = await fetch(`${issuer.url}/.well-known/openid-configuration`)
    assert.deepEqual(response.body(), await original.json())
  })
})

test.group('Identity provider status, with another provider', (group) => {
  let provider: TestHttpServer
  let service: RunningService

  group.setup(async () => {
    provider = await new TestHttpServer((_, response) => sendJson(response, {}, 404)).start()
    service = await startService({
      IDP_ISSUER: provider.url,
      IDP_PUBLIC_URL: 'https://id.acme.example',
    })
    return async () => {
      await service.stop()
      await provider.stop()
    }
  })

  test('health returns the public address if it differs', async ({ assert, client }) => {
    provider.handler = (_, response) =>
      sendJson(response, { issuer: provider.url, jwks_uri: `${provider.url}/keys` })
    const response = await client.get(`${service.url}/api/idp/health`)
    assert.deepEqual(response.body().data, { idpUrl: 'https://id.acme.example', status: 'ok' })
  })

  test('a document of another provider, or an invalid one, is refused', async ({ assert }) => {
    for (const [status, body] of [
      [500, {}],
      [404, {}],
      [200, null],
      [200, []],
      [200, 'text'],
      [200, { issuer: 'https://other.example', jwks_uri: 'https://other.example/keys' }],
      [200, { issuer: provider.url }],
    ] as const) {
      provider.handler = (_, response) => sendJson(response, body, status)
      await assert.rejects(() => fetchDiscovery(provider.url))
    }
  })
})

test.group('Identity provider status, with a failing provider', () => {
  test('both routes respond 502 until it recovers', async ({ assert, client, cleanup }) => {
    const provider: TestHttpServer = await new TestHttpServer((_, response) =>
      response.writeHead(302, { location: issuer.url }).end()
    ).start()
    const service = await startService({ IDP_ISSUER: provider.url })
    cleanup(async () => {
      await service.stop()
      await provider.stop()
    })
    for (const path of PATHS) {
      const response = await client.get(`${service.url}${path}`)
      response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
      assert.notInclude(response.text(), issuer.url)
    }
    provider.handler = (_, response) =>
      sendJson(response, { issuer: provider.url, jwks_uri: `${provider.url}/keys` })
    for (const path of PATHS) {
      const isWell = async () => (await client.get(`${service.url}${path}`)).status() === 200
      await eventually('the provider is asked again', isWell, 20_000)
    }
  }).timeout(60_000)
})

test.group('Identity provider status, without a provider', () => {
  test('the service starts and reports it', async ({ client, cleanup }) => {
    const service = await startService({ IDP_ISSUER: `http://127.0.0.1:${await freePort()}` })
    cleanup(async () => {
      await service.stop()
    })
    for (const path of [...PATHS, '/api/idp/login?client_id=shop']) {
      const response = await client.get(`${service.url}${path}`)
      response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    }
    const ready = await client.get(`${service.url}/api/health/ready`)
    ready.assertStatus(200)
  })
})
