import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { secrets } from '#core/secrets'
import AuditEntry from '#app/audit/models/audit_entry'
import { DKIM_PRIVATE_KEY } from '#app/platform/values/brand_mail'
import Brand from '#app/platform/models/brand'
import { storedLogin, storedSmtp } from '#tests/helpers/brand_mail'
import { eventually } from '#tests/helpers/eventually'
import {
  aSuperAdmin,
  anAdministratorOf,
  anApplication,
  signedIn,
  uniqueCode,
} from '#tests/helpers/people'
import { verifyDkim } from '#tests/helpers/verify_dkim'
import { selfSignedCertificate } from '#tests/world/certificate'
import { freePort } from '#tests/world/free_port'
import { DKIM, rsaKeys, smtp } from '#tests/world/prepare'
import { type SmtpTlsOptions, TestSmtpServer } from '#tests/world/smtp_server'
import mailConfig from '#config/mail'

type Cleanup = (callback: () => Promise<void>) => void

const aBrandWith = (fields: Partial<Brand>) => {
  const slug = uniqueCode('brand')
  return Brand.create({ slug, name: `Brand ${slug}`, isDefault: false, ...fields })
}

async function aServer(cleanup: Cleanup, tls?: SmtpTlsOptions) {
  const server = await new TestSmtpServer(tls).start()
  cleanup(() => server.stop())
  return server
}

/** Gives the platform another SMTP account, or none. */
function usePlatformAccount(cleanup: Cleanup, account: typeof mailConfig.smtp) {
  const { smtp: former } = mailConfig
  mailConfig.smtp = account
  cleanup(async () => void (mailConfig.smtp = former))
}

const sendTest = (client: ApiClient, email: string, id: number) =>
  signedIn(client, email).post(`/api/admin/brands/${id}/test`, {})

test.group('Test mails of a brand', () => {
  test('use its sender, its server and its key', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const server = await aServer(cleanup)
    const keys = rsaKeys()
    const brand = await aBrandWith({
      emailFrom: 'news@brand.example',
      emailFromName: 'The brand',
      smtp: storedLogin(server.port, 'right'),
      dkim: {
        domain: 'brand.example',
        selector: 's1',
        privateKey: secrets.encrypt(keys.privateKey, DKIM_PRIVATE_KEY),
      },
    })
    const response = await sendTest(client, email, brand.id)
    response.assertStatus(200)
    assert.containSubset(response.body().data, {
      email,
      from: 'news@brand.example',
      server: 'brand',
      signedBy: 'brand.example',
      status: 'sent',
      reason: null,
    })
    assert.match(response.body().data.message, /^250 /)
    assert.deepEqual(server.logins, [{ user: 'mailer', password: 'right' }])
    const [mail] = server.mailsTo(email)
    assert.equal(mail.parsed.subject, `Test mail of the brand ${brand.name}`)
    assert.deepEqual(mail.parsed.from?.value, [
      { address: 'news@brand.example', name: 'The brand' },
    ])
    const published = { 's1._domainkey.brand.example': keys.publicKey }
    const [signature] = await verifyDkim(mail.raw, published)
    assert.containSubset(signature, { result: 'pass', domain: 'brand.example' })
  })

  test('use what the platform has for what the brand lacks', async ({
    assert,
    client,
    cleanup,
  }) => {
    const email = await aSuperAdmin(cleanup)
    const brand = await aBrandWith({})
    const response = await sendTest(client, email, brand.id)
    assert.containSubset(response.body().data, {
      server: 'platform',
      signedBy: DKIM.domain,
      status: 'sent',
    })
    assert.lengthOf(smtp.mailsTo(email), 1)
  })

  test('log in each time, so that a password changed at the server shows', async ({
    assert,
    client,
    cleanup,
  }) => {
    const email = await aSuperAdmin(cleanup)
    const server = await aServer(cleanup)
    const brand = await aBrandWith({ smtp: storedLogin(server.port, 's3cret') })
    await sendTest(client, email, brand.id)
    server.react = (stage) => (stage === 'AUTH' ? 535 : undefined)
    server.refusal = 'the password s3cret is wrong'
    const response = await sendTest(client, email, brand.id)
    response.assertStatus(200)
    assert.containSubset(response.body().data, {
      status: 'failed',
      reason: 'login_refused',
      message: '535 the server refused the account',
    })
    assert.lengthOf(server.logins, 2)
  })

  test('say what the server refused, without the password', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const server = await aServer(cleanup)
    server.react = (stage) => (stage === 'MAIL' ? 550 : undefined)
    server.refusal = 'mailer with s3cret-Pa55 may not send as this address'
    const brand = await aBrandWith({ smtp: storedLogin(server.port, 's3cret-Pa55') })
    const response = await sendTest(client, email, brand.id)
    const { status, reason, message } = response.body().data
    assert.deepEqual({ status, reason }, { status: 'failed', reason: 'refused' })
    assert.match(message, /^550 .*may not send as this address/)
    assert.notInclude(response.text(), 's3cret-Pa55')
  })

  test('say what the server of the platform refused, without its password', async ({
    assert,
    client,
    cleanup,
  }) => {
    const email = await aSuperAdmin(cleanup)
    const server = await aServer(cleanup)
    server.react = (stage) => (stage === 'MAIL' ? 550 : undefined)
    server.refusal = 'mailer with s3cret-Pa55 may not send as this address'
    const { port } = server
    const account = { ...mailConfig.smtp!, port, user: 'mailer', password: 's3cret-Pa55' }
    usePlatformAccount(cleanup, account)
    const response = await sendTest(client, email, (await aBrandWith({})).id)
    assert.containSubset(response.body().data, { server: 'platform', reason: 'refused' })
    assert.notInclude(response.text(), 's3cret-Pa55')
  })

  test('say that there is no server', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    usePlatformAccount(cleanup, null)
    const response = await sendTest(client, email, (await aBrandWith({})).id)
    response.assertStatus(200)
    assert.containSubset(response.body().data, {
      server: null,
      status: 'failed',
      reason: 'unusable_settings',
    })
  })

  test('are tried once, and say that nothing listens', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const brand = await aBrandWith({ smtp: storedSmtp(await freePort()) })
    const response = await sendTest(client, email, brand.id)
    assert.containSubset(response.body().data, {
      status: 'failed',
      reason: 'connection_refused',
      message: 'the server refused the connection',
    })
    const server = await aServer(cleanup)
    server.react = (stage) => (stage === 'RCPT' ? 451 : undefined)
    await brand.merge({ smtp: storedSmtp(server.port) }).save()
    const deferred = await sendTest(client, email, brand.id)
    assert.containSubset(deferred.body().data, { status: 'failed', reason: 'refused' })
    assert.equal(server.connections, 1)
  })

  test('say that no verified TLS was possible', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const plain = await aServer(cleanup)
    const untrusted = await aServer(cleanup, { certificate: selfSignedCertificate() })
    for (const server of [plain, untrusted]) {
      const brand = await aBrandWith({ smtp: storedLogin(server.port, 'x', { tls: 'required' }) })
      const response = await sendTest(client, email, brand.id)
      assert.containSubset(response.body().data, { status: 'failed', reason: 'tls_failed' })
      assert.isEmpty(server.logins)
      assert.isEmpty(server.mails)
    }
  })

  test('connect to no address that operators may not name', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const smtpOf = (host: string) => ({ ...storedSmtp(25), host })
    const brand = await aBrandWith({ smtp: smtpOf('169.254.169.254') })
    const response = await sendTest(client, email, brand.id)
    assert.containSubset(response.body().data, {
      status: 'failed',
      reason: 'address_not_allowed',
    })
  })

  test('say that a stored secret cannot be used', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const password = 'app.of.another.key'
    const withPassword = await aBrandWith({
      smtp: { ...storedSmtp(smtp.port), user: 'mailer', password },
    })
    const withKey = await aBrandWith({
      dkim: { domain: 'brand.example', selector: 's1', privateKey: password },
    })
    for (const { id } of [withPassword, withKey]) {
      const response = await sendTest(client, email, id)
      assert.containSubset(response.body().data, {
        status: 'failed',
        reason: 'unusable_settings',
      })
    }
    assert.isEmpty(smtp.mailsTo(email))
  })

  test('are sent to one caller one at a time', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const server = await aServer(cleanup)
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<undefined>()
    server.react = () => mayGoOn
    const brand = await aBrandWith({ smtp: storedSmtp(server.port) })
    const first = sendTest(client, email, brand.id)
    void first.then(() => {})
    await eventually('the first is being sent', () => server.connections === 1)
    const second = await sendTest(client, email, brand.id)
    second.assertProblem(409, 'ALREADY_AT_WORK')
    const byAnother = await sendTest(client, await aSuperAdmin(cleanup), (await aBrandWith({})).id)
    byAnother.assertStatus(200)
    goOn(undefined)
    assert.equal((await first).body().data.status, 'sent')
    const third = await sendTest(client, email, brand.id)
    assert.equal(third.body().data.status, 'sent')
    assert.lengthOf(server.mailsTo(email), 2)
  })

  test('are audited with their outcome', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const brand = await aBrandWith({ smtp: storedLogin(await freePort(), 's3cret') })
    await sendTest(client, email, brand.id)
    const entry = await AuditEntry.query().where('actorEmail', email).firstOrFail()
    const { action, targetLabel, stateBefore } = entry
    const expected = { action: 'brand.tested', targetLabel: brand.slug, stateBefore: null }
    assert.deepEqual({ action, targetLabel, stateBefore }, expected)
    assert.deepEqual(JSON.parse(entry.stateAfter!), {
      status: 'failed',
      reason: 'connection_refused',
    })
  })

  test('are for super admins', async ({ client, cleanup }) => {
    const brand = await aBrandWith({})
    const application = await anApplication()
    const refused = await sendTest(client, await anAdministratorOf(application), brand.id)
    refused.assertProblem(403, 'FORBIDDEN')
    const email = await aSuperAdmin(cleanup)
    const unknown = await sendTest(client, email, 2_000_000_000)
    unknown.assertProblem(404, 'BRAND_NOT_FOUND')
  })
})
