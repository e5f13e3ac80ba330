import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { REVOCATIONS } from '#tests/functional/checks/revocations'
import { inPath } from '#tests/helpers/management'
import { type Remote, remote } from '#tests/helpers/remote'
import { serviceUrl } from '#tests/helpers/send'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { type RunningService, startService } from '#tests/world/service'
import { TcpProxy } from '#tests/world/tcp_proxy'

const rounds = Number(process.env.REVISION_ROUNDS ?? 100)

/** For PostgreSQL only, where processes on other machines share a database. */
if (process.env.DATABASE_URL) between(process.env.DATABASE_URL)

function between(databaseUrl: string) {
  test.group('Revisions between two processes on PostgreSQL', (group) => {
    let proxy: Awaited<ReturnType<typeof TcpProxy.inFrontOf>>
    let service: RunningService
    let writer: Remote
    /** Connects to the database through the proxy. */
    let checker: Remote

    group.setup(async () => {
      proxy = await TcpProxy.inFrontOf(databaseUrl)
      service = await startService({ DATABASE_URL: proxy.url })
      writer = remote(serviceUrl())
      checker = remote(service.url)
      return async () => {
        await service.stop()
        proxy.stop()
      }
    })

    /** Grants, checks, revokes and checks again. @returns how many checks were stale */
    async function staleAllows(askWithRevision: boolean): Promise<number> {
      const { question } = await REVOCATIONS['the role is removed from the user'](writer)
      const { email, app } = question
      const roles = `/api/users/${inPath(email!)}/apps/${app}/roles`
      const authorization = `Bearer ${await issuer.token(SUPER_ADMIN)}`
      const { body } = await writer.send('GET', roles, undefined, { authorization })
      const roleIds = (body as { data: { id: number }[] }).data.map(({ id }) => id)
      const replace = async (ids: number[]) => {
        const response = await writer.send('PUT', roles, { roleIds: ids }, { authorization })
        return { 'concierge-at-least': response.headers['concierge-revision'] }
      }
      const ask = async (headers: object) => {
        const response = await checker.send('POST', '/api/check', question, headers)
        return (response.body as { data: { allowed: boolean } }).data.allowed
      }
      let stale = 0
      for (let round = 0; round < rounds; round++) {
        const granted = await replace(roleIds)
        if (!(await ask(granted))) throw new Error('A grant was not seen')
        const revoked = await replace([])
        if (await ask(askWithRevision ? revoked : {})) stale++
      }
      if (process.env.REVISION_ROUNDS) console.log({ askWithRevision, rounds, stale })
      return stale
    }

    test('asked with the revision of a revocation, the other process never allows', async ({
      assert,
    }) => {
      assert.equal(await staleAllows(true), 0)
    }).disableTimeout()

    test('not even if no notification reaches it, where it is stale without the revision', async ({
      assert,
    }) => {
      proxy.refuseNaming('concierge_notifications')
      await db.rawQuery(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'concierge_notifications' and datname = current_database()`)
      assert.equal(await staleAllows(true), 0)
      assert.isAbove(await staleAllows(false), 0)
    }).disableTimeout()
  })
}
