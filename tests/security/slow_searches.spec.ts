import { test } from '@japa/runner'
import pg from 'pg'
import { usesPostgres } from '#core/database/dialect'
import { serviceUrl } from '#tests/helpers/send'
import { eventually } from '#tests/helpers/eventually'
import { inFlight } from '#tests/helpers/metrics'
import { superAdmin, uniqueEmail } from '#tests/helpers/people'

/** More than there are connections in the pool. */
const SEARCHES = 30

// On SQLite there are no connections to wait for.
if (usesPostgres()) {
  test.group('Slow searches', (group) => {
    let blocker: pg.Client

    group.each.setup(async () => {
      blocker = new pg.Client({ connectionString: process.env.DATABASE_URL })
      await blocker.connect()
      return () => blocker.end()
    })

    test('leave connections for everything else', async ({ assert, client }) => {
      await superAdmin(client).get('/api/users')
      await blocker.query('begin')
      await blocker.query('lock table application_preferences in access exclusive mode')
      const searching = Promise.all(
        Array.from({ length: SEARCHES }, (_, index) =>
          superAdmin(client).get(`/api/users?sort=-lastLoginAt&search=e${index}`)
        )
      )
      const waiting = async () => (await inFlight(serviceUrl(), 'other')) >= SEARCHES
      await eventually('all are in progress', waiting)
      const check = { email: uniqueEmail(), app: 'auth', permission: 'applications.manage' }
      for (let time = 0; time < 3; time++) {
        const ready = await client.get('/api/health/ready')
        ready.assertStatus(200)
        const response = await client.post('/api/check').json({ ...check, email: uniqueEmail() })
        response.assertStatus(200)
      }
      await blocker.query('rollback')
      const statuses = (await searching).map((response) => response.status())
      assert.isNotEmpty(statuses.filter((status) => status === 200))
      assert.isEmpty(statuses.filter((status) => ![200, 503].includes(status)))
    })
  })
}
