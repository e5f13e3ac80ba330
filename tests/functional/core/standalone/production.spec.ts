import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { startupFailure } from '#tests/helpers/startup_failure'
import { problemOf } from '#tests/helpers/send'
import { sameDatabase } from '#tests/helpers/same_database'
import { INTERNAL_KEY } from '#tests/world/prepare'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'

const folder = mkdtempSync(join(tmpdir(), 'concierge-production-'))
/** The tests set all secrets, so an `.env` file must not add any. */
const PRODUCTION: ServiceSettings = { NODE_ENV: 'production', ENV_PATH: folder }

const refusal = (settings: ServiceSettings) => startupFailure({ ...PRODUCTION, ...settings })

test.group('Production', (group) => {
  let service: RunningService

  group.setup(async () => {
    service = await startService({ ...PRODUCTION, ...sameDatabase() })
    return async () => {
      await service.stop()
      rmSync(folder, { recursive: true })
    }
  })

  test('serves requests if every secret is set', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await anApplication()
    const response = await person.get(`${service.url}/api/profile/me/apps/${code}`)
    response.assertStatus(200)
    assert.equal(response.body().data.applicationCode, code)
  })

  test('prints what to run if migrations are disabled and pending', async ({ assert }) => {
    const message = await refusal({
      MIGRATE_ON_START: 'false',
      SQLITE_PATH: join(folder, 'new.sqlite3'),
    })
    assert.match(message, /Concierge did not start: .*console\.js migration:run --force/)
  })

  test('has no development sign-in', async ({ assert }) => {
    for (const path of ['login?client_id=shop', 'login', 'callback?code=a&state=b', 'callback']) {
      const response = await fetch(`${service.url}/api/idp/${path}`, { redirect: 'manual' })
      assert.equal(response.status, 404, path)
      assert.equal((await problemOf(assert, response)).code, 'NOT_FOUND')
    }
  })

  test('has webhooks at https URLs only, also on this machine', async ({ client }) => {
    const { code } = await anApplication()
    const create = (url: string) =>
      superAdmin(client).post(`${service.url}/api/applications/${code}/webhooks`, {
        url,
        events: ['notification.failed'],
        enabled: false,
      })
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]', 'receiver.example']) {
      const refused = await create(`http://${host}/events`)
      refused.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'url' }] })
    }
    const accepted = await create('https://receiver.example/events')
    accepted.assertStatus(201)
  })

  test('reveals no more about an error than other environments', async ({ assert }) => {
    for (const [path, code] of [
      ['/api/nowhere', 'NOT_FOUND'],
      ['/api/profile/me', 'UNAUTHENTICATED'],
    ]) {
      const response = await fetch(`${service.url}${path}`)
      assert.equal((await problemOf(assert, response)).code, code)
    }
  })

  test('does not start without {$self} and names it in one message')
    .with(['APP_KEY', 'INTERNAL_API_KEY', 'WEBHOOK_SECRET', 'IDP_ISSUER', 'IDP_AUDIENCE'])
    .run(async ({ assert }, name) => {
      for (const missing of [undefined, '']) {
        const message = await refusal({ [name]: missing })
        assert.include(message, 'Concierge did not start')
        assert.include(message, name)
        assert.notMatch(message, /\n\s+at |node_modules|\.ts:\d/)
      }
    })

  test('does not start on PostgreSQL without DATABASE_URL', async ({ assert }) => {
    const message = await refusal({ DB_CONNECTION: 'pg', DATABASE_URL: undefined })
    assert.include(message, 'Concierge did not start')
    assert.include(message, 'DATABASE_URL')
  })

  test('lists every missing secret in one message and quotes no others', async ({ assert }) => {
    const message = await refusal({ APP_KEY: undefined, WEBHOOK_SECRET: undefined })
    assert.include(message, 'APP_KEY')
    assert.include(message, 'WEBHOOK_SECRET')
    assert.notInclude(message, INTERNAL_KEY)
  })
})
