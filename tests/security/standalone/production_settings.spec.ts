import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { settingErrors, productionSettingErrors } from '#core/process/setting_errors'
import { freePort } from '#tests/world/free_port'
import { startProductionService } from '#tests/world/production_service'
import { type ServiceSettings, startService } from '#tests/world/service'

const SHORT = 'only-31-characters-of-a-secret!'
const LONG = 'exactly-32-characters-of-secret!'

/** Invalid values, and the message that follows the name of the setting. */
const UNSAFE: ServiceSettings = {
  APP_KEY: SHORT,
  APP_KEY_PREVIOUS: `${LONG},${SHORT}`,
  INTERNAL_API_KEY: `${LONG}, ${SHORT}`,
  WEBHOOK_SECRET: SHORT,
  CHECK_KEYS: SHORT,
  IDP_AUDIENCE: ' , ',
  IDP_ISSUER: 'http://id.acme.example',
  APP_URL: 'http://concierge.acme.example',
  ENTITY_ALLOWED_ORIGINS: 'https://shop.acme.example, *',
}

async function refusal(settings: ServiceSettings, start = startProductionService) {
  const service = await start(settings).catch((error: Error) => error)
  if (service instanceof Error) return service.message
  await service.stop()
  throw new Error('It started')
}

test.group('Settings that production refuses', () => {
  test('are all named in one message that contains no values', async ({ assert }) => {
    const message = await refusal({ ...UNSAFE, MAIL_FROM: undefined })
    assert.include(message, 'Concierge did not start')
    for (const name of [...Object.keys(UNSAFE), 'MAIL_FROM']) assert.include(message, name)
    for (const value of [SHORT, LONG, 'acme.example']) assert.notInclude(message, value)
    assert.notMatch(message, /\n\s+at |node_modules|\.ts:\d/)
  })

  test('are refused by commands as well', async ({ assert, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'concierge-production-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const env = { ...process.env, NODE_ENV: 'production', ENV_PATH: folder, ...UNSAFE }
    const command = promisify(execFile)(process.execPath, ['ace.js', 'cache:clear', '--dry-run'], {
      cwd: projectPath(),
      env,
    })
    const { code, stderr } = await command.then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error
    )
    assert.equal(code, 1)
    for (const name of Object.keys(UNSAFE)) assert.include(stderr, name)
    assert.notInclude(stderr, SHORT)
  })

  test('are accepted in other environments', async ({ cleanup }) => {
    const { IDP_ISSUER, ...others } = UNSAFE
    const service = await startService(others)
    cleanup(async () => void (await service.stop()))
  })
})

test.group('Production settings', () => {
  const named = (settings: ServiceSettings) =>
    productionSettingErrors(settings).map((sentence) => sentence.split(' ')[0])

  test('{$self} is refused')
    .with(Object.keys(UNSAFE))
    .run(({ assert }, name) => {
      assert.deepEqual(named({ [name]: UNSAFE[name] }), [name])
    })

  test('safe ones are accepted', ({ assert }) => {
    const safe: ServiceSettings = {
      APP_KEY: LONG,
      APP_KEY_PREVIOUS: `${LONG},${LONG}`,
      INTERNAL_API_KEY: `${LONG}, ${LONG}`,
      WEBHOOK_SECRET: LONG,
      CHECK_KEYS: LONG,
      IDP_AUDIENCE: '1, 2',
      IDP_ISSUER: 'https://id.acme.example',
      APP_URL: 'https://concierge.acme.example',
      ENTITY_ALLOWED_ORIGINS: 'https://shop.acme.example',
      // The provider chooses this secret.
      IDP_SERVICE_ACCOUNT_TOKEN: 'short',
      IDP_WEBHOOK_SIGNING_KEYS: 'short',
      SMTP_PASSWORD: 'short',
    }
    assert.deepEqual(named(safe), [])
    assert.deepEqual(named({}), [])
  })

  test('an address of this machine needs no https', ({ assert }) => {
    for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', '[::1]']) {
      const url = `http://${host}:3333`
      assert.deepEqual(named({ APP_URL: url, IDP_ISSUER: url }), [], host)
    }
    for (const host of ['0.0.0.0', '10.0.0.5', 'localhost.acme.example', '127.0.0.1.nip.io']) {
      const url = `http://${host}:3333`
      assert.deepEqual(named({ APP_URL: url, IDP_ISSUER: url }), ['APP_URL', 'IDP_ISSUER'], host)
    }
  })

  test('APP_URL is required if HOST is not a local address', ({ assert }) => {
    assert.deepEqual(named({ HOST: '127.0.0.1' }), [])
    assert.deepEqual(named({ HOST: 'localhost' }), [])
    for (const HOST of ['0.0.0.0', '::', '10.0.0.5', 'concierge.acme.example']) {
      assert.deepEqual(named({ HOST }), ['APP_URL'], HOST)
      assert.deepEqual(named({ HOST, APP_URL: 'https://concierge.acme.example' }), [], HOST)
    }
  })

  test('INSECURE_APP_URL allows any address of the service, but none of the issuer', ({
    assert,
  }) => {
    const url = 'http://concierge.acme.example'
    const settings = { APP_URL: url, IDP_ISSUER: url, INSECURE_APP_URL: 'true' }
    assert.deepEqual(named(settings), ['IDP_ISSUER'])
    assert.deepEqual(named({ ...settings, INSECURE_APP_URL: 'false' }), ['APP_URL', 'IDP_ISSUER'])
  })

  test('lists of keys have at least one', ({ assert }) => {
    for (const name of ['IDP_AUDIENCE', 'INTERNAL_API_KEY', 'WEBHOOK_SECRET', 'CHECK_KEYS']) {
      for (const list of [',', ' ']) assert.deepEqual(named({ [name]: list }), [name])
    }
  })

  test('TRUSTED_PROXIES must not contain all addresses', ({ assert }) => {
    const ipv4 = ['0.0.0.0/0', '0.0.0.0/1,128.0.0.0/1', '10.0.0.0/7']
    const mapped = ['::ffff:0.0.0.0/96', '::ffff:0:0/97', '::/80']
    for (const range of [...ipv4, ...mapped, '10.0.0.1, ::/0', '2000::/3']) {
      assert.deepEqual(named({ TRUSTED_PROXIES: range }), ['TRUSTED_PROXIES'])
    }
    assert.deepEqual(named({ TRUSTED_PROXIES: '10.0.0.0/8, fd00::/16, ::ffff:10.0.0.0/104' }), [])
  })
})

test.group('Settings that every environment refuses', () => {
  test('{name} is refused by name')
    .with([
      { name: 'CHECK_ALLOWED_NETWORKS', value: 'bogus' },
      { name: 'CHECK_ALLOWED_NETWORKS', value: '10.0.0.0/8,10.0.0.0/33' },
      { name: 'TRUSTED_PROXIES', value: 'the-moon' },
      { name: 'SEND_RETRY_HOURS', value: '73' },
      { name: 'RETENTION_NOTIFICATIONS_DAYS', value: '-1' },
      { name: 'RETENTION_LOGIN_RECORDS_DAYS', value: '1.5' },
      { name: 'AUDIT_RETENTION_DAYS', value: '-1' },
      { name: 'RETENTION_WEBHOOK_DELIVERIES_DAYS', value: '-1' },
      { name: 'BROADCAST_LEASE', value: '0' },
      { name: 'SMTP_PORT', value: '65536' },
      { name: 'RATE_LIMIT_FAILED_AUTH', value: '-1' },
      { name: 'MAX_IN_FLIGHT_CHECKS', value: '0' },
      { name: 'WEB_CONCURRENCY', value: '0' },
      { name: 'INTERNAL_PORT', value: '0' },
      { name: 'DATABASE_POOL', value: '0' },
      { name: 'BODY_LIMIT', value: '999gb' },
      { name: 'BODY_LIMIT', value: 'much' },
    ])
    .run(({ assert }, { name, value }) => {
      const refused = settingErrors({ [name]: value })
      assert.lengthOf(refused, 1)
      assert.isTrue(refused[0].startsWith(`${name} must `), refused[0])
    })

  const isPossible = (settings: ServiceSettings) => settingErrors(settings).length === 0

  test('CORS_ALLOWED_ORIGINS accepts origins as browsers write them', ({ assert }) => {
    for (const origins of [
      undefined,
      '',
      'https://app.example.com',
      'https://app.example.com, http://localhost:5173,https://app.example.com:8443',
    ]) {
      assert.isTrue(isPossible({ CORS_ALLOWED_ORIGINS: origins }), origins)
    }
    for (const origin of [
      '*',
      'null',
      'https://*.example.com',
      'app.example.com',
      'https://app.example.com/',
      'https://app.example.com/path',
      'https://user@app.example.com',
      'HTTPS://app.example.com',
      'https://APP.example.com',
      'https://app.example.com:443',
      'ftp://app.example.com',
      'file://',
      'data:',
      'https://app.example.com?x',
      'https://app.example.com#',
      'https://',
    ]) {
      assert.isFalse(isPossible({ CORS_ALLOWED_ORIGINS: origin }), origin)
      assert.isFalse(isPossible({ CORS_ALLOWED_ORIGINS: `https://a.example,${origin}` }), origin)
    }
  })

  test('the internal listener needs its own port', async ({ assert }) => {
    assert.isFalse(isPossible({ PORT: '3333', INTERNAL_PORT: '3333' }))
    assert.isFalse(isPossible({ INTERNAL_PORT: '3333' }))
    assert.isTrue(isPossible({ PORT: '3333', INTERNAL_PORT: '3334' }))
    assert.isTrue(isPossible({ PORT: '3333' }))
    const PORT = String(await freePort())
    assert.include(await refusal({ PORT, INTERNAL_PORT: PORT }, startService), 'INTERNAL_PORT')
  })
})
