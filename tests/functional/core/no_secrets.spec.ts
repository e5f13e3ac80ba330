import { test } from '@japa/runner'
import { dumpDatabase } from '#tests/helpers/database_dump'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import type { Sender } from '#tests/helpers/send'
import { removeOtherSuperAdmins } from '#tests/access/callers'
import { writeRoutes } from '#tests/access/write_routes'
import {
  DKIM,
  INTERNAL_KEY,
  SUPER_ADMIN,
  VAPID,
  WEBHOOK_SECRET,
  issuer,
  rsaKeys,
} from '#tests/world/prepare'
import { PushService } from '#tests/world/push_service'
import { type RunningService, startService } from '#tests/world/service'
import { TestSmtpServer } from '#tests/world/smtp_server'

/** A line from the middle of a key, which every encoding of it contains. */
const lineOf = (pem: string) => pem.split('\n')[5]

const secret = (name: string) => `${name}-${uniqueCode()}`

test.group('Secrets', (group) => {
  let service: RunningService
  let smtp: TestSmtpServer
  let push: PushService
  const bodies: string[] = []
  const brandKey = rsaKeys().privateKey
  const settings = {
    IDP_SERVICE_ACCOUNT_TOKEN: secret('service-account'),
    IDP_ENCRYPTION_KEY: Buffer.from(uniqueCode().padEnd(32, 'k').slice(0, 32)).toString('base64'),
    SMTP_USER: 'mailer',
    SMTP_PASSWORD: secret('platform-smtp'),
  }
  const brandPassword = secret('brand-smtp')
  const idempotencyKey = secret('idempotency')
  const wrongKey = secret('wrong-internal-key')

  group.teardown(removeOtherSuperAdmins)

  group.setup(async () => {
    smtp = await new TestSmtpServer().start()
    push = await new PushService().start()
    const SMTP_PORT = String(smtp.port)
    service = await startService({
      ...sameDatabase(),
      ...settings,
      SMTP_PORT,
      ACCESS_LOG: 'true',
      LOG_LEVEL: 'trace',
    })
    return async () => {
      await service.stop()
      await Promise.all([smtp.stop(), push.stop()])
    }
  })

  const headersOf = (token: string): Record<Sender, Record<string, string>> =>
    ({
      token: { authorization: `Bearer ${token}` },
      internal: { 'x-internal-api-key': INTERNAL_KEY },
      webhook: { 'x-webhook-secret': WEBHOOK_SECRET },
      network: {},
    }) as never

  async function ask(method: string, path: string, headers: object, body?: object | string) {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
      redirect: 'manual',
    })
    const text = await response.text()
    bodies.push(text)
    return text
  }

  test('are in no log, response or table, whatever is requested and whatever fails', async ({
    assert,
    client,
  }) => {
    const token = await issuer.token(SUPER_ADMIN)
    const headers = headersOf(token)
    const browser = push.newBrowser()

    const slug = uniqueCode('brand')
    const account = { host: '127.0.0.1', port: smtp.port, secure: false, user: 'acme' }
    const brand = {
      slug,
      name: 'Acme',
      emailFrom: 'acme@acme.example',
      smtp: { ...account, password: brandPassword },
      dkim: { domain: 'acme.example', selector: 'one', privateKey: brandKey },
    }
    const broken = { ...brand.dkim, privateKey: brandKey.replace('MII', 'AAA') }
    await ask('POST', '/api/admin/brands', headers.token, { ...brand, dkim: broken })
    await ask('POST', '/api/admin/brands', headers.token, { ...brand, slug: 7 })
    const made = JSON.parse(await ask('POST', '/api/admin/brands', headers.token, brand))
    assert.isTrue(made.data.smtp.hasPassword)

    // Sends that succeed and that fail at every step.
    const email = uniqueEmail()
    const personal = await issuer.token(email)
    const own = headersOf(personal).token
    await ask('PUT', '/api/profile/me', own, { brand: slug })
    await ask('POST', '/api/profile/me/push/subscribe', own, { subscription: browser.subscription })
    const appCode = uniqueCode('shop')
    await ask('POST', '/api/applications', headers.token, { code: appCode, name: 'Shop' })
    const data = { subject: 'Hello', body: 'You' }
    const keyed = { ...headers.internal, 'idempotency-key': idempotencyKey }
    const send = (to: string, extra: object = headers.internal) => {
      const message = { recipientEmail: to, appCode, type: 'generic', data }
      return ask('POST', '/api/internal/notifications', extra, message)
    }
    await send(email, keyed)
    await send(uniqueEmail(), keyed)
    for (const stage of ['AUTH', 'RCPT', 'DATA'] as const) {
      smtp.react = (at) => (at === stage ? 535 : undefined)
      browser.response = 500
      await send(email)
      await send(uniqueEmail())
    }
    smtp.react = () => undefined
    await send(email, { 'x-internal-api-key': wrongKey })
    const links = smtp.mails.flatMap(
      ({ raw }) => raw.toString().match(/unsubscribe\/[^>\s"]+/g) ?? []
    )
    const link = links.find((text) => !text.includes('='))?.replace('unsubscribe/', '') ?? ''
    await ask('GET', `/api/unsubscribe/${link}`, {})

    // Every route that changes something: valid, without credentials, and with a malformed body.
    for (const { method, path, body, sender } of await writeRoutes(client)) {
      await ask(method, path, headers[sender] ?? {}, body)
      await ask(method, path, {}, body)
      if (body) await ask(method, path, headers[sender] ?? {}, `${JSON.stringify(body)}}`)
    }
    await ask('GET', '/api/profile/me', { authorization: `Bearer ${token}x` })
    await ask('GET', '/api/admin/brands', headers.token)
    await ask('GET', '/metrics', {})
    // Pending log lines are written now.
    assert.equal(await service.stop(), 0)

    const secrets: Record<string, string> = {
      ...settings,
      'SMTP_USER': brandPassword,
      'APP_KEY': process.env.APP_KEY!,
      'INTERNAL_API_KEY': INTERNAL_KEY,
      WEBHOOK_SECRET,
      'DKIM_PRIVATE_KEY': lineOf(DKIM.privateKey),
      'VAPID_PRIVATE_KEY': VAPID.privateKey,
      'the brand’s DKIM key': lineOf(brandKey),
      'a token': token.split('.')[2],
      'another token': personal.split('.')[2],
      'an idempotency key': idempotencyKey,
      'a wrong internal key': wrongKey,
    }
    assert.isAtLeast(smtp.mails.length, 1)
    assert.isTrue(smtp.logins.some(({ password }) => password === brandPassword))
    const places = {
      log: service.output(),
      responses: bodies.join('\n'),
      database: await dumpDatabase(),
    }
    assert.include(places.database, slug)
    assert.include(places.responses, slug)
    assert.include(places.log, '"msg":"request"')
    for (const [place, text] of Object.entries(places)) {
      for (const [name, value] of Object.entries(secrets)) {
        assert.isAbove(value.length, 10, name)
        assert.isFalse(text.includes(value), `${name} in the ${place}`)
      }
    }
    // The database may contain what push needs, and the user what mails contain.
    const { auth } = browser.subscription.keys
    for (const value of [auth, link].filter((text) => text !== '')) {
      assert.isFalse(places.log.includes(value), 'in the log')
      assert.isFalse(places.responses.includes(value), 'in a response')
    }
    assert.isNotEmpty(link)
  }).timeout(90_000)
})
