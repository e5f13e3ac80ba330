import { spawnSync } from 'node:child_process'
import { platform } from 'node:os'
import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { credentials, problemOf } from '#tests/helpers/send'
import { type RunningService, startService } from '#tests/world/service'

/** The kernel refuses larger writes, as on a full disk. */
function limitFiles({ process: { pid } }: RunningService, bytes: number | 'unlimited') {
  const { status, stderr } = spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`])
  if (status !== 0) throw new Error(String(stderr))
}

if (process.env.DB_CONNECTION !== 'pg' && platform() === 'linux') {
  test.group('A full disk', () => {
    test('the service is live and serves reads, but is not ready and refuses writes until there is space', async ({
      assert,
      cleanup,
    }) => {
      const service = await startService()
      cleanup(async () => void (await service.stop()))
      const send = async (method: string, path: string, body?: object) => {
        const headers = { 'content-type': 'application/json', ...(await credentials('token')) }
        return fetch(`${service.url}${path}`, { method, headers, body: JSON.stringify(body) })
      }
      const write = (theme: string) => send('PUT', '/api/profile/me', { theme })
      const ready = () => send('GET', '/api/health/ready')
      assert.equal((await write('dark')).status, 200)

      limitFiles(service, 1)
      const unready = await eventually('the service is no longer ready', async () => {
        const response = await ready()
        return response.ok ? undefined : response
      })
      assert.equal(unready.status, 503)
      assert.equal((await problemOf(assert, unready)).code, 'DATABASE_UNAVAILABLE')
      const refused = await write('light')
      assert.equal(refused.status, 503)
      assert.equal((await problemOf(assert, refused)).code, 'DATABASE_UNAVAILABLE')
      assert.equal((await send('GET', '/api/health/live')).status, 200)
      assert.equal((await send('GET', '/api/applications')).status, 200)

      limitFiles(service, 'unlimited')
      await eventually('the service is ready again', async () => (await ready()).ok)
      assert.equal((await write('light')).status, 200)
    })
  })
}

if (process.env.DB_CONNECTION === 'pg') {
  const { ownDatabase } = await import('#tests/helpers/own_database')
  const { default: pg } = await import('pg')

  test.group('A database that is not writable', () => {
    test('makes the service not ready until it is writable again', async ({ assert, cleanup }) => {
      const database = await ownDatabase()
      const service = await startService({ ...database.settings })
      const client = new pg.Client({ connectionString: database.settings.DATABASE_URL })
      await client.connect()
      cleanup(async () => {
        await client.end()
        await service.stop()
        await database.remove()
      })
      const isReady = async () => (await fetch(`${service.url}/api/health/ready`)).ok
      /** Sessions read the default when they start. */
      const setReadOnly = async (value: 'on' | 'off') => {
        await client.query(
          `alter database ${client.database} set default_transaction_read_only = ${value}`
        )
        await client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
        )
      }
      assert.isTrue(await isReady())
      await setReadOnly('on')
      await eventually('the service is not ready', async () => !(await isReady()))
      assert.equal((await fetch(`${service.url}/api/health/live`)).status, 200)
      await setReadOnly('off')
      await eventually('the service is ready again', isReady)
    })
  })
}
