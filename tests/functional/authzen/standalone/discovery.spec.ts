import { test } from '@japa/runner'
import { aDecisionPoint, answerOf } from '#tests/helpers/authzen'
import { uniqueCode } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { serviceUrl } from '#tests/helpers/send'
import { startService } from '#tests/world/service'

const metadataUrl = (appCode: string, url = serviceUrl()) =>
  `${url}/.well-known/authzen-configuration/api/authzen/${appCode}`

test.group('AuthZEN discovery', () => {
  test('anyone can read the metadata, which may be cached', async ({ assert, client }) => {
    const { code } = await aDecisionPoint(client)
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const { status, headers: sent } = await answerOf(await fetch(metadataUrl(code), { headers }))
    assert.equal(status, 200)
    assert.equal(sent.get('cache-control'), 'public, max-age=300')
  })

  test('the addresses come from APP_URL and not from the request', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { code } = await aDecisionPoint(client)
    for (const appUrl of ['https://id.acme.example', 'https://acme.example/concierge/']) {
      const service = await startService({ ...sameDatabase(), APP_URL: appUrl })
      cleanup(() => service.stop() as never)
      const forged = {
        'host': 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'http',
        'forwarded': 'host=evil.example;proto=http',
      }
      const { json } = await answerOf(
        await fetch(metadataUrl(code, service.url), { headers: forged })
      )
      const base = `${appUrl.replace(/\/$/, '')}/api/authzen/${code}`
      assert.equal(json.policy_decision_point, base)
      assert.equal(json.access_evaluation_endpoint, `${base}/access/v1/evaluation`)
      assert.equal(json.access_evaluations_endpoint, `${base}/access/v1/evaluations`)
      assert.notInclude(JSON.stringify(json), 'evil')
    }
  })

  test('an unknown application is 404', async ({ assert }) => {
    const { status, text } = await answerOf(await fetch(metadataUrl(uniqueCode())))
    assert.equal(status, 404)
    assert.equal(text, 'APPLICATION_NOT_FOUND: Application not found')
  })
})
