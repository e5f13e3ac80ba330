import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { removeOtherSuperAdmins } from '#tests/access/callers'
import { ROUTES, expected } from '#tests/access/routes'
import { tryCallers } from '#tests/access/try_callers'
import { TestHttpServer, sendJson } from '#tests/world/http_server'

/** Every route of the service as `METHOD pattern`; a GET serves HEAD as well. */
const routes = () =>
  Object.values(router.toJSON())
    .flat()
    .map(({ methods, pattern }) => `${methods[0]} ${pattern}`)

const entities = new TestHttpServer((_, response) => sendJson(response, []))

/** `guards.spec.ts` tries every guard on PostgreSQL as well. */
test.group('Access matrix', (group) => {
  group.setup(async () => {
    await entities.start()
    return () => entities.stop()
  })

  group.teardown(removeOtherSuperAdmins)

  test('every route has a row in the table, and every row a route', ({ assert }) => {
    const [rows, served] = [new Set(Object.keys(ROUTES)), new Set(routes())]
    assert.deepEqual([...served.difference(rows)], [], 'routes without a row')
    assert.deepEqual([...rows.difference(served)], [], 'rows without a route')
  })

  test('{$self}')
    .with(Object.keys(ROUTES))
    .run(async ({ assert, client }, route) => {
      const outcomes = await tryCallers(route, { client, listEndpoint: entities.url })
      assert.deepEqual(outcomes, expected(route))
    })
})
