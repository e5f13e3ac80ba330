import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import pg from 'pg'
import { eventually } from '#tests/helpers/eventually'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { remote } from '#tests/helpers/remote'
import { credentials } from '#tests/helpers/send'
import { PostgresPair } from '#tests/world/postgres_pair'
import { type RunningService, startService } from '#tests/world/service'

const WRITERS = 6
const READY_WITHIN_MS = 5_000

if (process.env.DB_CONNECTION === 'pg') {
  test.group('A failover to a synchronous standby', (group) => {
    let pair: PostgresPair
    let services: RunningService[]

    group.each.setup(async () => {
      pair = await PostgresPair.start()
      services = await Promise.all([0, 1].map(() => startService({ DATABASE_URL: pair.url })))
      return async () => {
        await Promise.all(services.map((service) => service.stop()))
        await pair.stop()
      }
    })

    const isReady = async ({ url }: RunningService) => (await fetch(`${url}/api/health/ready`)).ok
    const areReady = async () => (await Promise.all(services.map(isReady))).every(Boolean)

    test('loses no acknowledged write, and the service finds the new primary', async ({
      assert,
    }) => {
      const appCode = uniqueCode('shop')
      await remote(services[0].url).post('/api/applications', { code: appCode, name: 'Shop' })
      const acknowledged: string[] = []
      const statuses = new Set<number>()
      let isOver = false
      const writing = Array.from({ length: WRITERS }, async (_, index) => {
        const { send } = remote(services[index % services.length].url)
        const headers = await credentials('internal')
        while (!isOver) {
          const email = uniqueEmail()
          const login = { email, appCode, event: 'login' }
          const { status } = await send(
            'POST',
            '/api/internal/auth/application-events',
            login,
            headers
          )
          statuses.add(status)
          if (status === 200) acknowledged.push(email)
        }
      })
      const moreWrites = (count: number) => {
        const enough = acknowledged.length + count
        return eventually('writes succeed', () => acknowledged.length > enough, 20_000)
      }

      await moreWrites(30)
      await pair.killPrimary()
      for (const service of services) assert.isFalse(await isReady(service))
      await pause(500)
      await pair.promote()
      await eventually('the services are ready', areReady, READY_WITHIN_MS)
      await moreWrites(30)
      isOver = true
      await Promise.all(writing)

      assert.sameMembers([...statuses], [200, 503])
      const client = new pg.Client({ connectionString: pair.standbyUrl })
      await client.connect()
      const { rows } = await client.query('select email from login_records')
      await client.end()
      const stored = new Set(rows.map(({ email }) => email))
      assert.isEmpty(acknowledged.filter((email) => !stored.has(email)))
    }).timeout(90_000)

    test('leaves a server that no longer accepts writes', async () => {
      const [{ url }] = services
      const create = () => remote(url).send('POST', '/api/applications', application(), headers)
      const application = () => ({ code: uniqueCode('shop'), name: 'Shop' })
      const headers = await credentials('token')
      await eventually('a write succeeds', async () => (await create()).status === 201)
      await pair.refuseWritesOnPrimary()
      await pair.promote()
      await eventually('writes succeed again', async () => (await create()).status === 201)
    }).timeout(60_000)
  })
}
