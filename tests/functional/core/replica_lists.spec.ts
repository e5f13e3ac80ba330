import { test } from '@japa/runner'
import pg from 'pg'
import { eventually } from '#tests/helpers/eventually'
import { inPath } from '#tests/helpers/management'
import { metricOf } from '#tests/helpers/metrics'
import { uniqueEmail } from '#tests/helpers/people'
import { type Remote, type RemoteResponse, remote } from '#tests/helpers/remote'
import { aListedApplication, replicaLists } from '#tests/helpers/replica_lists'
import { credentials } from '#tests/helpers/send'
import { PostgresPair } from '#tests/world/postgres_pair'
import { issuer } from '#tests/world/prepare'
import { startService } from '#tests/world/service'
import { startServiceWithReplica } from '#tests/world/service_with_replica'

const revisionOf = ({ headers }: RemoteResponse) => Number(headers['concierge-revision'])
const codesIn = ({ body }: RemoteResponse) =>
  (body as { data: { code: string }[] }).data.map(({ code }) => code)
const problemIn = ({ body }: RemoteResponse) => (body as { code: string }).code

type Started = Awaited<ReturnType<typeof startServiceWithReplica>>

if (process.env.DB_CONNECTION === 'pg') {
  test.group('Lists from a replica', (group) => {
    let pair: Started['pair']
    let proxy: Started['proxy']
    let running: Started['running']
    let service: Remote

    group.setup(async () => {
      const { stop, ...started } = await startServiceWithReplica()
      ;({ pair, proxy, running } = started)
      service = remote(running.url)
      return stop
    })

    const reads = (result: string) =>
      metricOf(running.url, `concierge_database_replica_reads_total{result="${result}"}`)

    const headers = async () => ({
      ...(await credentials('token')),
      ...(await credentials('internal')),
    })
    const list = async (path: string, atLeast?: number) => {
      const required = atLeast === undefined ? {} : { 'concierge-at-least': String(atLeast) }
      return service.send('GET', path, undefined, { ...(await headers()), ...required })
    }

    /** Of the last change, once the replica has it. */
    const replayedRevision = async () => {
      const revision = revisionOf(await list('/api/applications'))
      await eventually('the replica has replayed it', async () => {
        const answered = await reads('answered')
        const response = await list('/api/users/admins', revision)
        return response.status === 200 && (await reads('answered')) > answered
      })
      return revision
    }

    const addRole = async (tree: string, code: string) => {
      const response = await service.send('POST', `${tree}/roles`, { code }, await headers())
      if (response.status !== 201) throw new Error(JSON.stringify(response))
    }

    test('are those of the primary, each read at one moment', async ({ assert }) => {
      const { pathOf } = await aListedApplication(service)
      const revision = await replayedRevision()
      assert.isAbove(replicaLists().length, 30)
      for (const pattern of replicaLists()) {
        const path = pathOf(pattern)
        const expected = await list(path)
        assert.equal(expected.status, 200, path)
        const answered = await reads('answered')
        const response = await list(path, revision)
        assert.equal(await reads('answered'), answered + 1, path)
        assert.deepEqual(response.body, expected.body, path)
        assert.isAtLeast(revisionOf(response), revision, path)
      }
    })

    test('count and link their pages', async ({ assert }) => {
      const { tree } = await aListedApplication(service)
      await addRole(tree, 'second')
      const revision = await replayedRevision()
      const path = `${tree}/roles?limit=1&count=true`
      const answered = await reads('answered')
      const [expected, response] = [await list(path), await list(path, revision)]
      assert.isAbove(await reads('answered'), answered)
      assert.equal(response.headers['x-total-count'], '2')
      assert.equal(response.headers.link, expected.headers.link)
    })

    test('without a revision come from the primary', async ({ assert }) => {
      const { tree } = await aListedApplication(service)
      await replayedRevision()
      const answered = await reads('answered')
      for (let index = 0; index < 5; index++) {
        await addRole(tree, `role-${index}`)
        assert.include(codesIn(await list(`${tree}/roles`)), `role-${index}`)
      }
      assert.equal(await reads('answered'), answered)
    })

    test('lack only changes after the required revision', async ({ assert, cleanup }) => {
      const { app, email } = await aListedApplication(service)
      const roles = `/api/users/${inPath(email)}/apps/${app}/roles`
      const count = ({ body }: RemoteResponse) => (body as { data: unknown[] }).data.length
      const before = await replayedRevision()
      await pair.pauseReplay()
      cleanup(() => pair.resumeReplay())
      const after = revisionOf(
        await service.send('PUT', roles, { roleIds: [] }, await credentials('token'))
      )
      assert.isAbove(after, before)

      const answered = await reads('answered')
      const earlier = await list(roles, before)
      assert.equal(await reads('answered'), answered + 1)
      assert.equal(count(earlier), 1)
      assert.isAtLeast(revisionOf(earlier), before)
      assert.isBelow(revisionOf(earlier), after)

      const behind = await reads('behind')
      const later = await list(roles, after)
      assert.isAbove(await reads('behind'), behind)
      assert.equal(count(later), 0)
      assert.isAtLeast(revisionOf(later), after)
    })

    test('are refused to those who have just lost access', async ({ assert, cleanup }) => {
      const { app, tree } = await aListedApplication(service)
      const [admin, inactive] = [uniqueEmail('admin'), uniqueEmail('inactive')]
      for (const email of [admin, inactive]) {
        await service.webhook('user.created', email)
        await service.post(`/api/users/admins/apps/${app}`, { email })
      }
      const { key } = (await service.post(`${tree}/keys`, { name: 'key' })) as { key?: string }
      const { id } = await service
        .send('GET', `${tree}/keys`, undefined, await headers())
        .then(({ body }) => (body as { data: { id: number }[] }).data[0])
      const revision = await replayedRevision()
      await pair.pauseReplay()
      cleanup(() => pair.resumeReplay())
      const as = async (credential: object, path: string) =>
        service.send('GET', path, undefined, { ...credential, 'concierge-at-least': revision })
      const bearer = async (email: string) => ({
        authorization: `Bearer ${await issuer.token(email)}`,
      })
      const byAdmin = async () => as(await bearer(admin), `${tree}/roles`)
      const byInactive = async () => as(await bearer(inactive), `${tree}/roles`)
      const byKey = () =>
        as({ 'x-internal-api-key': key }, `/api/internal/notifications/log/app/${app}`)
      for (const read of [byAdmin, byInactive, byKey]) {
        const answered = await reads('answered')
        assert.equal((await read()).status, 200)
        assert.isAbove(await reads('answered'), answered)
      }

      await service.delete(`/api/users/admins/apps/${app}/${inPath(admin)}`)
      await service.put(`/api/users/${inPath(inactive)}/active`, { active: false })
      await service.delete(`${tree}/keys/${id}`)
      const answered = await reads('answered')
      assert.equal(problemIn(await byAdmin()), 'FORBIDDEN')
      assert.equal(problemIn(await byInactive()), 'USER_INACTIVE')
      assert.equal(problemIn(await byKey()), 'UNAUTHENTICATED')
      assert.equal(await reads('answered'), answered)
    })

    test('show nothing of an earlier application with the same code', async ({
      assert,
      cleanup,
    }) => {
      const { app, tree, pathOf } = await aListedApplication(service)
      const revision = await replayedRevision()
      await pair.pauseReplay()
      cleanup(() => pair.resumeReplay())
      const former = await list(`${tree}/permissions`, revision)
      assert.deepEqual(codesIn(former), ['p'])
      await service.delete(tree)
      await service.post('/api/applications', { code: app, name: app })
      const ofApplication = [
        'permissions',
        'roles',
        'assignments',
        'entities',
        'login-records',
      ].map((name) => `${tree}/${name}`)
      for (const path of [
        ...ofApplication,
        pathOf('/api/admin/notifications/log/:appCode'),
        pathOf('/api/admin/notifications/broadcast/:appCode'),
        `/api/users?appCode=${app}`,
      ]) {
        const response = await list(path, revision)
        assert.deepEqual((response.body as { data: unknown }).data, [], path)
      }
    })

    test('come from the primary while the replica cannot be reached or stops responding', async ({
      assert,
      cleanup,
    }) => {
      const { tree } = await aListedApplication(service)
      const revision = await replayedRevision()
      const failed = await reads('failed')
      proxy.refuse()
      proxy.cut()
      cleanup(() => proxy.accept())
      for (let index = 0; index < 10; index++) {
        assert.deepEqual(codesIn(await list(`${tree}/roles`, revision)), ['clerk'])
      }
      assert.isAbove(await reads('failed'), failed)
      await proxy.accept()
      await replayedRevision()
      proxy.stall()
      cleanup(() => proxy.resume())
      for (let index = 0; index < 3; index++) {
        assert.deepEqual(codesIn(await list(`${tree}/roles`, revision)), ['clerk'])
      }
    })

    test('come from the primary when a query on the replica fails', async ({ assert, cleanup }) => {
      const { tree } = await aListedApplication(service)
      const revision = await replayedRevision()
      const standby = new pg.Client({ connectionString: pair.standbyUrl })
      await standby.connect()
      cleanup(() => standby.end())
      const failed = await reads('failed')
      let isOver = false
      const terminating = (async () => {
        while (!isOver) {
          await standby.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where state in ('active', 'idle in transaction') and pid <> pg_backend_pid()
               and backend_type = 'client backend'`
          )
        }
      })()
      await eventually('a read on the replica failed', async () => {
        const responses = await Promise.all(
          Array.from({ length: 10 }, () => list(`${tree}/roles?count=true`, revision))
        )
        for (const response of responses) {
          assert.equal(response.status, 200)
          assert.deepEqual(codesIn(response), ['clerk'])
        }
        return (await reads('failed')) > failed
      })
      isOver = true
      await terminating
    })
  })

  test.group('Lists while the primary is unavailable', () => {
    test('go on if only the key of the platform is checked, and the replica has the revision', async ({
      assert,
      cleanup,
    }) => {
      const pair = await PostgresPair.start()
      const running = await startService({
        DATABASE_URL: pair.url,
        DATABASE_REPLICA_URL: pair.standbyUrl,
      })
      cleanup(async () => {
        await running.stop()
        await pair.stop()
      })
      const service = remote(running.url)
      const { email, tree } = await aListedApplication(service)
      const log = `/api/internal/notifications/log/${inPath(email)}`
      const key = await credentials('internal')
      const revision = revisionOf(await service.send('GET', log, undefined, key))
      const atLeast = (required: number) => ({ 'concierge-at-least': String(required) })
      await pair.killPrimary()

      const known = await service.send('GET', log, undefined, { ...key, ...atLeast(revision) })
      assert.equal(known.status, 200)
      assert.isAtLeast(revisionOf(known), revision)
      const token = await credentials('token')
      for (const [path, headers] of [
        [log, key],
        [log, { ...key, ...atLeast(revision + 1_000) }],
        [`${tree}/roles`, { ...token, ...atLeast(revision) }],
      ] as const) {
        const response = await service.send('GET', path, undefined, headers)
        assert.equal(problemIn(response), 'DATABASE_UNAVAILABLE', path)
      }
    }).timeout(60_000)
  })
}
