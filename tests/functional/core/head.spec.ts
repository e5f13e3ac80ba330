import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import { createKey } from '#app/applications/actions/create_key'
import User from '#app/profiles/models/user'
import { changedSince, latestNote, startNoting } from '#tests/helpers/noted_changes'
import { anApplication, aSuperAdmin, signedIn, uniqueEmail } from '#tests/helpers/people'
import { sendBody } from '#tests/helpers/send'
import { pathIn } from '#tests/access/scene'
import { kindOf } from '#tests/access/routes'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { INTERNAL_KEY, issuer } from '#tests/world/prepare'

/** The pattern of every GET route, which the router knows once the tests run. */
function patterns() {
  const routes = Object.values(router.toJSON()).flat()
  const got = routes.filter(({ methods }) => methods.includes('GET'))
  return [...new Set(got.map(({ pattern }) => pattern))]
}

test.group('HEAD', (group) => {
  let items: TestHttpServer

  group.setup(startNoting)
  group.setup(async () => {
    items = await new TestHttpServer((_, response) => sendJson(response, [])).start()
    return () => items.stop()
  })

  test('of {$self} changes nothing, even on the first visit of a user')
    .with(() => patterns())
    .run(async ({ assert, client, cleanup }, pattern) => {
      const application = await anApplication()
      const email = await aSuperAdmin(cleanup)
      const scene = { client, application, email, listEndpoint: items.url }
      const path = await pathIn(scene, pattern)
      await User.query().where({ email }).delete()
      const kind = kindOf(`GET ${pattern}`)
      const { text } = await createKey(application.code, { name: 'Server' })
      const internal = { 'x-internal-api-key': kind === 'internal' ? INTERNAL_KEY : text }
      const token = { authorization: `Bearer ${await issuer.token(email)}` }
      const headers = kind.toLowerCase().includes('internal') ? internal : token

      const before = await latestNote()
      const head = await sendBody('HEAD', path, undefined, headers)
      assert.equal(await head.text(), '')
      assert.deepEqual(await changedSince(before), [])
      const got = await sendBody('GET', path, undefined, headers)
      // A stream would not end.
      await got.body?.cancel()
      assert.equal(head.status, got.status)
      assert.equal(head.headers.get('content-type'), got.headers.get('content-type'))
    })

  test('of a profile leaves the names of a newer token for the next GET', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const path = '/api/profile/me'
    const first = await signedIn(client, email).get(path)
    first.assertStatus(200)
    const claims = { given_name: 'Ada', family_name: 'King' }
    const token = await issuer.token(email, { claims })
    const headers = { authorization: `Bearer ${token}` }
    const before = await latestNote()
    const head = await sendBody('HEAD', path, undefined, headers)
    assert.equal(head.status, 200)
    assert.deepEqual(await changedSince(before), [])
    const got = await sendBody('GET', path, undefined, headers)
    assert.containSubset(await got.json(), { data: { firstName: 'Ada' } })
  })
})
