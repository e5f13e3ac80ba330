import { test } from '@japa/runner'
import { loadProblems } from '#core/exceptions/load_problems'
import { problemKinds } from '#core/exceptions/problem'

const sourcesIn = (policy: string) =>
  policy
    .split(';')
    .flatMap((directive) => directive.trim().split(/\s+/).slice(1))
    .filter((source) => !["'none'", "'self'", "'unsafe-inline'", 'data:', 'blob:'].includes(source))

test.group('Reference pages', () => {
  test('the reference loads its scripts and the description from this service only', async ({
    assert,
    client,
  }) => {
    const page = await client.get('/docs')
    page.assertStatus(200)
    assert.equal(page.type(), 'text/html')
    assert.deepEqual(sourcesIn(page.header('content-security-policy') ?? ''), [])
    assert.notMatch(page.text(), /(?:src|href)="(?:https?:)?\/\//)

    for (const [, path] of page.text().matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      const loaded = await client.get(path)
      loaded.assertStatus(200)
    }
  })

  test("the script is Scalar's, without any of its hosted services", async ({ assert, client }) => {
    const script = await client.get('/docs/scalar.js')
    assert.equal(script.type(), 'text/javascript')
    assert.isAbove(script.text().length, 1_000_000)
    assert.include(script.text(), 'createApiReference')

    const start = await client.get('/docs/start.js')
    assert.include(start.text(), '"telemetry":false')
    assert.include(start.text(), '"withDefaultFonts":false')
    assert.notInclude(start.text(), 'http')
  })

  test('the type of every problem links to a page about it', async ({ assert, client }) => {
    await loadProblems()
    for (const { code, status } of problemKinds.values()) {
      const page = await client.get(`/docs/errors/${code}`)
      page.assertStatus(200)
      assert.equal(page.type(), 'text/html')
      assert.deepEqual(sourcesIn(page.header('content-security-policy') ?? ''), [])
      assert.include(page.text(), code)
      assert.include(page.text(), `Status ${status}`)
    }
  })

  test('a page explains the code, when it occurs and what to do', async ({ assert, client }) => {
    const refused = await client.get('/api/nowhere')
    const { type } = JSON.parse(refused.text()) as { type: string }
    assert.equal((await client.get(type)).status(), 200)

    const page = await client.get('/docs/errors/ENTITY_ORIGIN_NOT_ALLOWED')
    assert.include(page.text(), 'The origin of this listEndpoint is not allowed')
    assert.include(page.text(), '<code>ENTITY_ALLOWED_ORIGINS</code>')
    assert.include(page.text(), 'POST /api/applications/{appCode}/entities')
  })

  test('an unknown code has no page', async ({ client }) => {
    for (const code of ['NO_SUCH_CODE', '__proto__', '%3Cscript%3E', 'not_found']) {
      const response = await client.get(`/docs/errors/${code}`)
      response.assertProblem(404, 'NOT_FOUND')
    }
  })
})
