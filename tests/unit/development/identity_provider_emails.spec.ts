import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from '@japa/runner'
import { SERVICE_TOKEN, beginProvider, idp } from '#tests/unit/development/provider_under_test'

test.group('Development identity provider, forgotten passwords', (group) => {
  group.each.setup(beginProvider)

  test('reports an undeliverable mail, whatever the reason', async ({ assert, cleanup }) => {
    assert.include(await forgetPassword(), 'no service accepts e-mails')

    const service = createServer((_request, response) => response.writeHead(503).end())
    await once(service.listen(0, '127.0.0.1'), 'listening')
    const { port } = service.address() as AddressInfo
    cleanup(() => void service.close())
    await mailTo(`http://127.0.0.1:${port}/`)
    assert.include(await forgetPassword(), 'no service accepts e-mails')

    service.close()
    service.closeAllConnections()
    assert.include(await forgetPassword(), 'no service accepts e-mails')
    assert.include(await forgetPassword('ada'), 'Enter a valid e-mail address')
  })
})

async function mailTo(endpoint: string) {
  const { id } = await asService('/http', { endpoint, description: 'test' })
  await asService(`/${id}/_activate`, {})
}

async function asService(path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`${idp.issuer}/admin/v1/email${path}`, {
    method: 'POST',
    headers: {
      'authorization': `Bearer ${SERVICE_TOKEN}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { id: string }
}

async function forgetPassword(email = 'ada@acme.example') {
  const body = new URLSearchParams({ email })
  const url = `${idp.issuer}/ui/login/password/forgotten`
  const response = await fetch(url, { method: 'POST', body })
  return response.text()
}
