import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import pg from 'pg'
import { REVOCATIONS } from '#tests/functional/checks/revocations'
import { eventually } from '#tests/helpers/eventually'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { inPath } from '#tests/helpers/management'
import { type Remote, remote } from '#tests/helpers/remote'
import { credentials } from '#tests/helpers/send'
import { PostgresPair } from '#tests/world/postgres_pair'
import { type RunningService, startService } from '#tests/world/service'

const WRITERS = 4
const READY_WITHIN_MS = 5_000

/** A permission that a role gives to a user, and how to give and take the role. */
async function aGrant(service: Remote) {
  const { question } = await REVOCATIONS['the role is removed from the user'](service)
  const roles = `/api/users/${inPath(question.email!)}/apps/${question.app}/roles`
  const headers = await credentials('token')
  const { body } = await service.send('GET', roles, undefined, headers)
  const roleIds = (body as { data: { id: number }[] }).data.map(({ id }) => id)
  const replace = (at: Remote, ids: number[]) => at.send('PUT', roles, { roleIds: ids }, headers)
  return {
    question,
    grant: (at: Remote) => replace(at, roleIds),
    revoke: (at: Remote) => replace(at, []),
  }
}

if (process.env.DB_CONNECTION === 'pg') {
  test.group('A failover to a synchronous standby', (group) => {
    let pair: PostgresPair
    let services: RunningService[]

    group.each.setup(async () => {
      pair = await PostgresPair.start()
      const settings = { DATABASE_URL: pair.url, DATABASE_REPLICA_URL: pair.standbyUrl }
      services = await Promise.all([0, 1].map(() => startService(settings)))
      return async () => {
        await Promise.all(services.map((service) => service.stop()))
        await pair.stop()
      }
    })

    const isReady = async ({ url }: RunningService) => (await fetch(`${url}/api/health/ready`)).ok
    const areReady = async () => (await Promise.all(services.map(isReady))).every(Boolean)

    test('loses no acknowledged write and decides each check, never on older facts', async ({
      assert,
    }) => {
      const [one, other] = services.map(({ url }) => remote(url))
      const { question, revoke, grant } = await aGrant(one)
      const acknowledged: string[] = []
      const statuses = new Set<number>()
      const decisions = { statuses: new Set<number>(), stale: 0, fresh: 0 }
      let isOver = false

      const writing = Array.from({ length: WRITERS }, async (_, index) => {
        const { send } = index % 2 ? one : other
        const headers = await credentials('internal')
        while (!isOver) {
          const email = uniqueEmail()
          const login = { email, appCode: question.app, event: 'login' }
          const path = '/api/internal/auth/application-events'
          const { status } = await send('POST', path, login, headers)
          statuses.add(status)
          if (status === 200) acknowledged.push(email)
        }
      })
      const checking = [one, other].map(async (service) => {
        for (let id = 0; !isOver; id++) {
          const { status } = await service.check({
            ...question,
            resourceType: 'order',
            resourceId: String(id),
          })
          decisions.statuses.add(status)
        }
      })
      const revoking = async () => {
        while (!isOver) {
          await grant(one)
          const { status, headers } = await revoke(one)
          if (status !== 200) continue
          const atLeast = { 'concierge-at-least': headers['concierge-revision'] }
          const response = await other.send('POST', '/api/check', question, atLeast)
          if (response.status !== 200) continue
          const { data } = response.body as { data: { allowed: boolean } }
          if (data.allowed) decisions.stale++
          else decisions.fresh++
        }
      }
      const everything = [...writing, ...checking, revoking()]
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
      await Promise.all(everything)

      assert.sameMembers([...statuses], [200, 503])
      assert.deepEqual([...decisions.statuses], [200])
      assert.equal(decisions.stale, 0)
      assert.isAbove(decisions.fresh, 0)
      const client = new pg.Client({ connectionString: pair.standbyUrl })
      await client.connect()
      const { rows } = await client.query('select email from login_records')
      await eventually('caches that may know lost changes are cleared, once', async () => {
        const { rows: cleared } = await client.query(
          `select id from access_changes where scopes = '[{}]' and id > 1000000`
        )
        return cleared.length === 1
      })
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
