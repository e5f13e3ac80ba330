import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import Brand from '#app/platform/models/brand'
import { DKIM_PRIVATE_KEY, SMTP_PASSWORD } from '#app/platform/values/brand_mail'
import { secrets } from '#core/secrets'
import { storedLogin, storedSmtp } from '#tests/helpers/brand_mail'
import { notificationRecordOf, withOwnServer } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { panelPerson } from '#tests/helpers/panel_people'
import { aBrand } from '#tests/helpers/platform'
import { sameDatabase } from '#tests/helpers/same_database'
import { selfSignedCertificate } from '#tests/world/certificate'
import { INTERNAL_KEY, rsaKeys, smtp as platformServer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import type { RunningService } from '#tests/world/service'
import { TestSmtpServer, type SmtpTlsOptions } from '#tests/world/smtp_server'

const ACCOUNT = { host: 'smtp.acme.example', port: 465, secure: true, user: 'mailer' }
const PASSWORD = 'write-only-password'
const TEXT = { subject: 'Hello', body: 'Something happened' }

const path = ({ id }: { id: number }) => `/api/admin/brands/${id}`

const withAccount = (client: ApiClient, fields: object = {}) =>
  aBrand(client, { smtp: { ...ACCOUNT, password: PASSWORD, ...fields } })

async function storedPassword(id: number) {
  const { smtp } = await Brand.findOrFail(id)
  return smtp?.password ? secrets.decrypt(smtp.password, SMTP_PASSWORD) : null
}

async function globalAdmin(client: ApiClient) {
  return signedIn(client, await panelPerson(client, {}, { globally: 'edit' }))
}

test.group('A stored SMTP password', () => {
  test('cannot be sent elsewhere: changing {field} needs the password')
    .with([
      { field: 'host', value: 'smtp.evil.example' },
      { field: 'port', value: 2_525 },
      { field: 'secure', value: false },
      { field: 'user', value: 'somebody-else' },
      { field: 'user', value: null },
      { field: 'tls', value: 'none' },
    ])
    .run(async ({ assert, client }, { field, value }) => {
      const admin = superAdmin(client)
      const brand = await withAccount(client, { tls: 'required' })
      const smtp = { ...ACCOUNT, tls: 'required', [field]: value }

      const refused = await admin.put(path(brand), { smtp })
      refused.assertProblem(400, 'PASSWORD_REQUIRED')
      const stored = await Brand.findOrFail(brand.id)
      assert.containSubset(stored.smtp, { ...ACCOUNT, tls: 'required' })

      const emptied = await admin.put(path(brand), { smtp: { ...smtp, password: null } })
      emptied.assertStatus(200)
      assert.deepEqual(emptied.body().data.smtp, { ...smtp, hasPassword: false })
      assert.isNull(await storedPassword(brand.id))
    })

  test('is required for a change of the host alone', async ({ assert, client }) => {
    const brand = await withAccount(client)
    const refused = await superAdmin(client).put(path(brand), {
      smtp: { host: 'smtp.evil.example' },
    })
    refused.assertProblem(400, 'PASSWORD_REQUIRED')
    assert.equal(await storedPassword(brand.id), PASSWORD)
  })

  test('is kept if the account does not change or its TLS gets stricter', async ({
    assert,
    client,
  }) => {
    const admin = superAdmin(client)
    const brand = await withAccount(client, { tls: 'none' })
    for (const smtp of [
      { host: ACCOUNT.host },
      { ...ACCOUNT, tls: 'none' },
      { ...ACCOUNT, tls: 'opportunistic' },
      { ...ACCOUNT, tls: 'required' },
    ]) {
      const response = await admin.put(path(brand), { name: 'Renamed', smtp })
      response.assertStatus(200)
      assert.equal(await storedPassword(brand.id), PASSWORD)
    }
  })

  test('is deleted with the account, so that a new account starts without it', async ({
    assert,
    client,
  }) => {
    const admin = superAdmin(client)
    const brand = await withAccount(client)
    const removed = await admin.put(path(brand), { smtp: null })
    removed.assertStatus(200)
    const moved = await admin.put(path(brand), { smtp: { host: 'smtp.evil.example' } })
    moved.assertStatus(200)
    assert.isFalse(moved.body().data.smtp.hasPassword)
  })

  test('is safe from concurrent changes of host and password', async ({ assert, client }) => {
    const admin = superAdmin(client)
    const brand = await withAccount(client)
    const responses = await Promise.all([
      ...[1, 2, 3].map(() => admin.put(path(brand), { smtp: { host: 'smtp.evil.example' } })),
      admin.put(path(brand), { smtp: { ...ACCOUNT, password: 'newer' } }),
      ...[1, 2, 3].map(() => admin.put(path(brand), { smtp: { host: 'smtp.evil.example' } })),
    ])
    assert.equal(responses.filter((response) => response.status() === 400).length, 6)
    const { smtp } = await Brand.findOrFail(brand.id)
    assert.equal(smtp!.host, ACCOUNT.host)
    assert.equal(await storedPassword(brand.id), 'newer')
  })
})

test.group('Mail settings of a brand', () => {
  test('{field} cannot be set by a global panel admin')
    .with([
      { field: 'smtp', value: { host: 'smtp.evil.example' } },
      { field: 'smtp', value: { ...ACCOUNT, password: 'new' } },
      { field: 'smtp', value: { ...ACCOUNT, tls: 'none', password: null } },
      { field: 'smtp', value: null },
      { field: 'dkim', value: { domain: 'evil.example', selector: 's1' } },
      { field: 'dkim', value: { domain: 'evil.example', selector: 's1', privateKey: 'no key' } },
      { field: 'dkim', value: null },
      { field: 'emailFrom', value: 'ceo@acme.example' },
      { field: 'emailFrom', value: null },
      { field: 'replyTo', value: 'attacker@evil.example' },
    ])
    .run(async ({ assert, client }, { field, value }) => {
      const admin = await globalAdmin(client)
      const privateKey = rsaKeys().privateKey
      const brand = await aBrand(client, {
        emailFrom: 'mail@acme.example',
        replyTo: 'help@acme.example',
        smtp: { ...ACCOUNT, password: PASSWORD },
        dkim: { domain: 'acme.example', selector: 's1', privateKey },
      })
      const refused = await admin.put(path(brand), { name: 'Taken over', [field]: value })
      refused.assertProblem(403, 'FORBIDDEN', { fields: [field], needs: { superAdmin: true } })

      const stored = await Brand.findOrFail(brand.id)
      assert.equal(stored.name, brand.name)
      assert.equal(stored.emailFrom, 'mail@acme.example')
      assert.equal(stored.replyTo, 'help@acme.example')
      assert.equal(await storedPassword(brand.id), PASSWORD)
      assert.equal(secrets.decrypt(stored.dkim!.privateKey!, DKIM_PRIVATE_KEY), privateKey)
      if (value === null) return
      const created = await admin.post('/api/admin/brands', {
        slug: uniqueCode('brand'),
        name: 'A brand',
        [field]: value,
      })
      created.assertProblem(403, 'FORBIDDEN', { fields: [field] })
    })

  test('cannot be deleted with their brand by a global panel admin', async ({ assert, client }) => {
    const admin = await globalAdmin(client)
    const brand = await aBrand(client, { smtp: { ...ACCOUNT, password: PASSWORD } })
    const refused = await admin.delete(path(brand))
    refused.assertProblem(403, 'FORBIDDEN', { fields: ['smtp'], needs: { superAdmin: true } })
    assert.equal(await storedPassword(brand.id), PASSWORD)
    const plain = await aBrand(client)
    ;(await admin.delete(path(plain))).assertStatus(204)
    ;(await superAdmin(client).delete(path(brand))).assertStatus(204)
  })

  test('can be sent unchanged by a global panel admin', async ({ assert, client }) => {
    const admin = await globalAdmin(client)
    const brand = await aBrand(client, {
      emailFrom: 'mail@acme.example',
      replyTo: 'help@acme.example',
      smtp: { ...ACCOUNT, password: PASSWORD },
      dkim: { domain: 'acme.example', selector: 's1', privateKey: rsaKeys().privateKey },
    })
    const shown = (await admin.get(path(brand))).body().data
    const saved = await admin.put(path(brand), { ...shown, name: 'Renamed' })
    saved.assertStatus(200)
    assert.deepEqual(
      { ...saved.body().data, updatedAt: null },
      { ...shown, name: 'Renamed', updatedAt: null }
    )
    assert.equal(await storedPassword(brand.id), PASSWORD)
  })

  test('cannot name a metadata service or another link-local address', async ({ client }) => {
    const admin = superAdmin(client)
    for (const host of [
      '169.254.169.254',
      'fe80::1',
      '::ffff:169.254.169.254',
      'fd00:ec2::254',
      'fd00:ec2::254%1',
    ]) {
      const created = await admin.post('/api/admin/brands', {
        slug: uniqueCode('brand'),
        name: 'A brand',
        smtp: { host, password: 'x' },
      })
      created.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'smtp.host' }] })
    }
  })
})

/** All TLS rules of production, with different SMTP servers. */
test.group('Mail in production', (group) => {
  const certificate = selfSignedCertificate()
  const folder = mkdtempSync(join(tmpdir(), 'concierge-authority-'))
  const authority = join(folder, 'authority.pem')
  let service: RunningService
  let trusting: RunningService

  group.setup(async () => {
    writeFileSync(authority, certificate.cert)
    service = await startProductionService({ ...sameDatabase(), QUEUE_IN_SERVICE: 'false' })
    trusting = await startProductionService({
      ...{ ...sameDatabase(), QUEUE_IN_SERVICE: 'false' },
      NODE_EXTRA_CA_CERTS: authority,
    })
    return async () => {
      await Promise.all([service.stop(), trusting.stop()])
      rmSync(folder, { recursive: true })
    }
  })

  async function aServer(cleanup: (callback: () => Promise<void>) => void, tls?: SmtpTlsOptions) {
    const server = await new TestSmtpServer(tls).start()
    cleanup(() => server.stop())
    return server
  }

  async function send(recipientEmail: string, { url }: RunningService = service) {
    const { code: appCode } = await anApplication()
    const response = await fetch(`${url}/api/internal/notifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-internal-api-key': INTERNAL_KEY },
      body: JSON.stringify({ recipientEmail, appCode, type: 'generic', data: TEXT }),
    })
    const { data } = (await response.json()) as { data: { id: number; status: string } }
    return { status: data.status, ...(await notificationRecordOf(data.id)) }
  }

  /** Stored as before TLS was configurable. */
  async function personAt(server: TestSmtpServer, fields: Parameters<typeof storedSmtp>[1] = {}) {
    const email = uniqueEmail()
    await withOwnServer(email, server, { smtp: storedLogin(server.port, PASSWORD, fields) })
    return email
  }

  test('is never sent without TLS, whatever the server or an attacker does', async ({
    assert,
    cleanup,
  }) => {
    const server = await aServer(cleanup)
    const email = await personAt(server)
    const { status, notification } = await send(email, trusting)
    assert.equal(status, 'failed')
    assert.equal(notification.statusReason, 'SMTP_ERROR: no secure connection could be made')
    assert.isEmpty(server.logins)
    assert.isEmpty(server.mails)
  })

  test('refuses an untrusted certificate', async ({ assert, cleanup }) => {
    for (const implicit of [true, false]) {
      const server = await aServer(cleanup, { certificate, implicit })
      const email = await personAt(server, { secure: implicit })
      const { status, notification } = await send(email)
      assert.equal(status, 'failed')
      assert.equal(notification.statusReason, 'SMTP_ERROR: no secure connection could be made')
      assert.isEmpty(server.logins)
    }
  })

  test('is sent encrypted if the operator trusts the authority', async ({ assert, cleanup }) => {
    for (const implicit of [true, false]) {
      for (const host of ['localhost', '127.0.0.1']) {
        const server = await aServer(cleanup, { certificate, implicit })
        const email = await personAt(server, { secure: implicit, host, tls: 'required' })
        assert.equal((await send(email, trusting)).status, 'sent')
        assert.deepEqual(server.secured, [true])
        assert.deepEqual(server.logins, [{ user: 'mailer', password: PASSWORD }])
      }
    }
  })

  test('refuses a trusted certificate for another name', async ({ assert, cleanup }) => {
    const server = await aServer(cleanup, { certificate })
    const email = await personAt(server, { host: '127.0.0.2' })
    assert.equal((await send(email, trusting)).status, 'failed')
    assert.isEmpty(server.logins)
  })

  test('uses TLS if available with opportunistic, and plain text with none', async ({
    assert,
    cleanup,
  }) => {
    const [plain, encrypted] = [await aServer(cleanup), await aServer(cleanup, { certificate })]
    assert.equal((await send(await personAt(plain, { tls: 'opportunistic' }))).status, 'sent')
    const upgraded = await personAt(encrypted, { tls: 'opportunistic' })
    assert.equal((await send(upgraded, trusting)).status, 'sent')
    assert.equal((await send(await personAt(encrypted, { tls: 'none' }))).status, 'sent')
    assert.deepEqual(encrypted.secured, [true, false])
  })

  test('logs who changed an account, and never the password', async ({ assert, client }) => {
    const admin = superAdmin(client)
    const slug = uniqueCode('brand')
    const created = await admin.post(`${service.url}/api/admin/brands`, {
      ...{ slug, name: 'Acme' },
      smtp: { ...ACCOUNT, password: PASSWORD },
    })
    created.assertStatus(201)
    assert.equal(created.body().data.smtp.tls, 'required', 'the default in production')
    const changes = () =>
      service
        .output()
        .split('\n')
        .filter((line) => line.includes('"mail_account_changed"') && line.includes(slug))
    const line = await eventually('the event is written', () => changes()[0])
    const event = JSON.parse(line)
    assert.containSubset(event, { event: 'security', actor: admin.email, fields: ['smtp'] })
    assert.notInclude(service.output(), PASSWORD)

    await admin.put(`${service.url}${path(created.body().data)}`, { name: 'Renamed' })
    assert.lengthOf(changes(), 1, 'a new name is no event')

    const deleted = await admin.delete(`${service.url}${path(created.body().data)}`)
    deleted.assertStatus(204)
    await eventually('the deletion is written', () => changes().length === 2)
  })
})

test.group('The platform’s SMTP account in production', () => {
  test('needs TLS unless SMTP_TLS says otherwise', async ({ assert, client, cleanup }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    const { code: appCode } = await anApplication()
    const statuses: string[] = []
    for (const SMTP_TLS of [undefined, 'required', 'opportunistic', 'none']) {
      const service = await startProductionService({
        ...{ ...sameDatabase(), SMTP_TLS, SMTP_PORT: String(server.port) },
        ...{ SMTP_USER: 'platform', SMTP_PASSWORD: PASSWORD },
      })
      const response = await client
        .post(`${service.url}/api/internal/notifications`)
        .header('x-internal-api-key', INTERNAL_KEY)
        .json({ recipientEmail: uniqueEmail(), appCode, type: 'generic', data: TEXT })
      statuses.push(response.body().data.status)
      await service.stop()
    }
    assert.deepEqual(statuses, ['failed', 'failed', 'sent', 'sent'])
    assert.lengthOf(server.logins, 2)
  }).timeout(120_000)
})

test.group('A name in place of an SMTP host', () => {
  test('is refused if it resolves to a metadata service', async ({ assert, client }) => {
    const email = uniqueEmail()
    // A number is a valid host name that resolves to 169.254.169.254.
    await withOwnServer(email, platformServer, {
      smtp: storedSmtp(25, { host: '2852039166' }),
    })
    const { code: appCode } = await anApplication()
    const response = await client
      .post('/api/internal/notifications')
      .header('x-internal-api-key', INTERNAL_KEY)
      .json({ recipientEmail: email, appCode, type: 'generic', data: TEXT })
    assert.equal(
      response.body().data.statusReason,
      'SMTP_ERROR: the address of the server is not allowed'
    )
  })
})
