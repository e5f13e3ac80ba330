import { test } from '@japa/runner'
import { sameDatabase } from '#tests/helpers/same_database'
import { startService } from '#tests/world/service'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test.group('The root', () => {
  test('redirects browsers to the panel', async ({ assert, client }) => {
    const response = await client.get('/').header('accept', BROWSER).redirects(0)
    response.assertStatus(302)
    assert.include(response.header('vary'), 'accept')
    assert.equal(response.header('location'), '/panel')
    const page = await client.get('/panel')
    page.assertStatus(200)
    assert.equal(page.type(), 'text/html')
  })

  test('returns links that work, with Accept: {$self}')
    .with([
      '*/*',
      'application/json',
      'application/json, text/html',
      'text/html;q=0.1, */*',
      'image/png',
      'x',
    ])
    .run(async ({ assert, client }, accept) => {
      const response = await client.get('/').header('accept', accept).redirects(0)
      response.assertStatus(200)
      assert.equal(response.type(), 'application/json')
      assert.include(response.header('vary'), 'accept')
      const { links } = response.body().data
      assert.sameMembers(Object.keys(links), ['panel', 'health', 'docs', 'openapi'])
      for (const path of Object.values<string>(links)) {
        const target = await client.get(path)
        target.assertStatus(200)
      }
    })

  test('serves HEAD like GET', async ({ client }) => {
    const response = await client.head('/').header('accept', BROWSER).redirects(0)
    response.assertStatus(302)
  })

  test('lists the documentation only if there is one', async ({ assert, client, cleanup }) => {
    const service = await startService({ ...sameDatabase(), DOCS: 'off' })
    cleanup(async () => void (await service.stop()))
    const response = await client.get(`${service.url}/`)
    assert.sameMembers(Object.keys(response.body().data.links), ['panel', 'health'])
  })
})
