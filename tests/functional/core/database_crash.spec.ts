import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import pg from 'pg'
import { eventually } from '#tests/helpers/eventually'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { credentials } from '#tests/helpers/send'
import { CrashingPostgres } from '#tests/world/crashing_postgres'
import { type RunningService, startService } from '#tests/world/service'

const WRITERS = 15
const ASKERS = 5
/** Connecting times out after three seconds; anything much longer is a hang. */
const LONGEST_RESPONSE_MS = 10_000
const READY_WITHIN_MS = 3_000

if (process.env.DB_CONNECTION === 'pg') {
  test.group('A database that crashes', (group) => {
    let postgres: CrashingPostgres
    let service: RunningService

    group.setup(async () => {
      postgres = await CrashingPostgres.start()
      service = await startService({ DATABASE_URL: postgres.url })
      return async () => {
        await service.stop()
        await postgres.stop()
      }
    })

    const post = async (path: string, body: object, sender: 'token' | 'internal' | 'network') => {
      const started = performance.now()
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(await credentials(sender)) },
        body: JSON.stringify(body),
      })
      await response.arrayBuffer()
      return { status: response.status, ms: performance.now() - started }
    }

    const isReady = async () => (await fetch(`${service.url}/api/health/ready`)).ok

    test('loses no acknowledged write, returns 503 and recovers soon', async ({ assert }) => {
      const appCode = uniqueCode('shop')
      await post('/api/applications', { code: appCode, name: 'Shop' }, 'token')
      const acknowledged: string[] = []
      const statuses = new Set<number>()
      let slowest = 0
      let isOver = false

      const note = ({ status, ms }: { status: number; ms: number }) => {
        statuses.add(status)
        slowest = Math.max(slowest, ms)
      }
      const writing = Array.from({ length: WRITERS }, async () => {
        while (!isOver) {
          const email = uniqueEmail()
          const login = { email, appCode, event: 'login' }
          const response = await post('/api/internal/auth/application-events', login, 'internal')
          note(response)
          if (response.status === 200) acknowledged.push(email)
        }
      })
      const asking = Array.from({ length: ASKERS }, async () => {
        while (!isOver) {
          const question = { email: uniqueEmail(), app: appCode, permission: 'read' }
          note(await post('/api/check', question, 'network'))
        }
      })

      for (let crash = 1; crash <= 2; crash++) {
        const enough = acknowledged.length + 30
        await eventually('writes get responses', () => acknowledged.length > enough, 20_000)
        await postgres.crash()
        assert.isFalse(await isReady())
        await pause(500)
        await postgres.startAgain()
        await eventually('the service is ready again', isReady, READY_WITHIN_MS)
      }
      const enough = acknowledged.length + 30
      await eventually('writes get responses again', () => acknowledged.length > enough, 20_000)
      isOver = true
      await Promise.all([...writing, ...asking])

      assert.sameMembers([...statuses], [200, 503])
      assert.isBelow(slowest, LONGEST_RESPONSE_MS)
      assert.isNull(service.process.exitCode)
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      const { rows } = await client.query('select email from login_records')
      await client.end()
      const stored = new Set(rows.map(({ email }) => email))
      assert.isEmpty(acknowledged.filter((email) => !stored.has(email)))
    }).timeout(90_000)
  })
}
