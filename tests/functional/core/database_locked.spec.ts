import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import Database from 'better-sqlite3'
import User from '#app/profiles/models/user'
import { uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { credentials, problemOf, serviceUrl } from '#tests/helpers/send'
import { type RunningService, startService } from '#tests/world/service'

if (process.env.DB_CONNECTION === 'sqlite') {
  test.group('Database locked by another process', (group) => {
    let service: RunningService
    let other: Database.Database

    group.setup(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'concierge-locked-'))
      const file = join(folder, 'service.sqlite3')
      service = await startService({ SQLITE_PATH: file })
      other = new Database(file)
      return async () => {
        other.close()
        await service.stop()
        rmSync(folder, { recursive: true })
      }
    })

    const send = async (method: string, path: string, body?: object) => {
      const sender = path.startsWith('/api/idp') ? 'webhook' : 'token'
      const headers = { 'content-type': 'application/json', ...(await credentials(sender)) }
      return fetch(`${service.url}${path}`, { method, headers, body: JSON.stringify(body) })
    }

    const WRITES: [string, string, object?][] = [
      ['PUT', '/api/profile/me', { theme: 'dark' }],
      ['GET', '/api/profile/me/apps/auth'],
      ['POST', '/api/idp/webhook', { eventType: 'user.removed', user: { email: uniqueEmail() } }],
    ]

    const READS = [
      '/api/profile/me',
      '/api/applications',
      '/api/applications/auth/policy',
      '/api/health/ready',
    ]

    test('a write is 503 in time, a read is served, and both work afterwards', async ({
      assert,
    }) => {
      await send('GET', '/api/profile/me')
      other.exec('begin immediate')
      for (const [method, path, body] of WRITES) {
        const started = performance.now()
        const response = await send(method, path, body)
        assert.equal(response.status, 503, path)
        assert.equal(response.headers.get('retry-after'), '1')
        assert.equal((await problemOf(assert, response)).code, 'DATABASE_UNAVAILABLE')
        assert.isBelow(performance.now() - started, 10_000, path)
      }
      for (const path of READS) {
        assert.equal((await send('GET', path)).status, 200, path)
      }
      other.exec('rollback')
      for (const [method, path, body] of WRITES) {
        assert.equal((await send(method, path, body)).status, 200, path)
      }
    })
  })

  test.group('Database shared by two processes', () => {
    test('concurrent writes wait for each other', async ({ assert, cleanup }) => {
      const second = await startService(sameDatabase())
      cleanup(async () => {
        await second.stop()
      })
      const emails = Array.from({ length: 10 }, () => uniqueEmail())
      await Promise.all(
        Array.from({ length: 100 }, async (_, number) => {
          const url = number % 2 ? second.url : serviceUrl()
          const eventType = ['user.created', 'user.deactivated', 'user.reactivated'][number % 3]
          const response = await fetch(`${url}/api/idp/webhook`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...(await credentials('webhook')) },
            body: JSON.stringify({ eventType, user: { email: emails[number % 10] } }),
          })
          assert.equal(response.status, 200, await response.text())
        })
      )
      assert.lengthOf(await User.query().whereIn('email', emails), 10)
    })
  })
}
