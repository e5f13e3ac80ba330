import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { storedLogin, storedSmtp } from '#tests/helpers/brand_mail'
import { notificationRecordOf, withOwnServer } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { anApplication, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { selfSignedCertificate } from '#tests/world/certificate'
import { INTERNAL_KEY, smtp as platformServer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import type { RunningService } from '#tests/world/service'
import { TestSmtpServer, type SmtpTlsOptions } from '#tests/world/smtp_server'

const ACCOUNT = { host: 'smtp.acme.example', port: 465, secure: true, user: 'mailer' }
const PASSWORD = 'write-only-password'
const TEXT = { subject: 'Hello', body: 'Something happened' }

const path = ({ id }: { id: number }) => `/api/admin/brands/${id}`

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
      ...sameDatabase(),
      QUEUE_IN_SERVICE: 'false',
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
      slug,
      name: 'Acme',
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
        ...sameDatabase(),
        SMTP_TLS,
        SMTP_PORT: String(server.port),
        SMTP_USER: 'platform',
        SMTP_PASSWORD: PASSWORD,
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
