import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import { pathOf, waitForBroadcastStatus, uniqueEmails } from '#tests/helpers/broadcasts'
import { dumpDatabase } from '#tests/helpers/database_dump'
import { deleteStoredProvider } from '#tests/helpers/notification_provider'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import {
  HOOK_PATH,
  withRecipient,
  anOrganisation,
  logEntriesOf,
  storedMail,
  encodeMessage,
} from '#tests/helpers/provider_hook'
import { type Sample, loginCode } from '#tests/helpers/provider_samples'
import { sameDatabase } from '#tests/helpers/same_database'
import { credentials } from '#tests/helpers/send'
import { signatureOf } from '#tests/helpers/signature'
import { eventually } from '#tests/helpers/eventually'
import { IdentityApi } from '#tests/world/identity_api'
import { issuer } from '#tests/world/prepare'
import { type ServiceSettings, startService } from '#tests/world/service'
import { TestSmtpServer } from '#tests/world/smtp_server'

const SETUP = '/api/idp/admin/notification-provider/setup'
const TRACE = { ACCESS_LOG: 'true', LOG_LEVEL: 'trace' }

async function watched(settings: ServiceSettings) {
  const service = await startService({ ...sameDatabase(), ...TRACE, ...settings })
  let responses = ''
  async function ask(method: string, path: string, body?: object | string, headers?: object) {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { ...(headers ?? (await credentials('token'))), 'content-type': 'application/json' },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    })
    const text = await response.text()
    responses += `${text}\n`
    return { status: response.status, body: JSON.parse(text || 'null') }
  }
  return { ...service, ask, responses: () => responses }
}

function assertNone(assert: Assert, places: Record<string, string>, secrets: string[]) {
  for (const secret of secrets) {
    assert.isAbove(secret.length, 7)
    for (const [place, text] of Object.entries(places)) {
      assert.isFalse(text.includes(secret), `${secret} in the ${place}`)
    }
  }
}

/** The provider's mail with a unique code in each of its fields. */
function mailWith(code: string, organisation: string, email: string) {
  const sample = withRecipient(loginCode(), organisation, email)
  return JSON.parse(JSON.stringify(sample).replaceAll('48151623', code)) as Sample
}

test.group('Secrets of the identity provider', (group) => {
  let api: IdentityApi

  group.setup(async () => {
    const { fallback: further } = issuer
    api = await new IdentityApi().start()
    issuer.fallback = api.tokenEndpoint(issuer)
    return async () => {
      issuer.fallback = further
      await api.stop()
    }
  })
  group.each.setup(async () => {
    await deleteStoredProvider()
    return deleteStoredProvider
  })

  test('its codes are stored and logged nowhere, whatever happens to their mail', async ({
    assert,
    cleanup,
  }) => {
    const service = await watched({
      IDP_API_URL: api.url,
      IDP_SERVICE_ACCOUNT_TOKEN: api.personalToken,
    })
    const { id, server } = await anOrganisation()
    cleanup(async () => {
      await service.stop()
      await server.stop()
    })
    assert.equal((await service.ask('POST', SETUP, {})).status, 200)
    const key = api.emailProviders.at(-1)!.http!.signingKey!
    const codes = ['sent', 'queued', 'refused', 'unreadable', 'unsigned'].map(
      (name) => `${name}-${randomUUID()}`
    )
    const [sent, queued, refused, unreadable, unsigned] = codes
    const post = (body: string, signature = signatureOf(body, { key })) =>
      service.ask('POST', HOOK_PATH, body, { 'idp-signature': signature })
    const email = uniqueEmail()
    const hook = (code: string, to = email) => post(encodeMessage(mailWith(code, id, to)))

    assert.equal((await hook(sent)).body.data.status, 'sent')
    assert.equal((await hook(sent)).body.data.status, 'duplicate')
    server.refusal = `not now, not with ${queued}`
    server.react = (stage) => (stage === 'DATA' ? 451 : undefined)
    const waiting = uniqueEmail()
    assert.equal((await hook(queued, waiting)).body.data.status, 'queued')
    server.refusal = `never, not with ${refused}`
    server.react = (stage) => (stage === 'DATA' ? 550 : undefined)
    await hook(refused)
    await post(`${encodeMessage(mailWith(unreadable, id, email))}}`)
    await post(encodeMessage(mailWith(unsigned, id, email)), 't=1,v1=00')
    await post(encodeMessage({ ...mailWith(unreadable, id, email), contextInfo: {} }))
    assert.isNotNull((await storedMail(waiting)).content, 'it waits')
    const log = await dumpDatabase()
    assert.include(log, 'not now, not with')
    assert.include(log, 'never, not with')

    server.react = () => undefined
    await service.stop()
    assert.isTrue(server.mailsTo(email)[0].raw.toString().includes(sent))
    assert.isAtLeast((await logEntriesOf(email)).length, 2)
    const places = {
      log: service.output(),
      responses: service.responses(),
      database: await dumpDatabase(),
    }
    assert.include(places.log, '"msg":"request"')
    assertNone(assert, places, [...codes, key])
  }).timeout(60_000)

  test('its signing keys and our credentials are logged nowhere, whatever fails', async ({
    assert,
    cleanup,
  }) => {
    const keyFile = api.writeKeyFile()
    const encryptionKey = Buffer.from(randomUUID().slice(0, 32)).toString('base64')
    const keys = new Set<string>()
    const noteKeys = () =>
      api.emailProviders.forEach(({ http }) => http?.signingKey && keys.add(http.signingKey))
    let [logs, responses] = ['', '']
    for (const account of [
      { IDP_SERVICE_ACCOUNT_KEY_FILE: keyFile },
      { IDP_SERVICE_ACCOUNT_TOKEN: api.personalToken },
    ]) {
      const service = await watched({
        IDP_API_URL: api.url,
        IDP_ENCRYPTION_KEY: encryptionKey,
        ...account,
      })
      cleanup(async () => void (await service.stop()))
      const faults = ['token', 'searchEmailProviders', 'addEmailProvider', 'changeEmailProvider']
      for (const at of faults) {
        for (const how of ['die', 500, 401] as const) {
          api.fault({ at, when: 'after', how })
          api.tokens.revokeIssued()
          await service.ask('POST', SETUP, { rotate: true })
          noteKeys()
        }
      }
      api.fault()
      api.refusal = { status: 400, code: 3, message: 'no' }
      await service.ask('POST', SETUP, { rotate: true })
      await service.ask('GET', '/api/idp/admin/organizations')
      api.refusal = undefined
      assert.equal((await service.ask('POST', SETUP, { rotate: true })).status, 200)
      noteKeys()
      await service.ask('GET', '/api/idp/admin/notification-provider')
      await service.stop()
      logs += service.output()
      responses += service.responses()
    }

    const sentAlong = [...api.requests, ...issuer.requests].flatMap(({ headers, body }) => [
      /^Bearer (?:pat|at)-/.test(headers.authorization ?? '')
        ? headers.authorization!.slice(7)
        : [],
      new URLSearchParams(body).get('assertion') ?? [],
    ])
    const secrets = sentAlong.flat()
    assert.isTrue(secrets.some((token) => token.startsWith('at-')))
    assert.isTrue(
      secrets.some((token) => token.startsWith('ey')),
      'an assertion'
    )
    assert.isAbove(keys.size, 2)
    const { key } = JSON.parse(readFileSync(keyFile, 'utf8')) as { key: string }
    assertNone(assert, { logs, responses, database: await dumpDatabase() }, [
      ...new Set([...secrets, ...keys]),
      encryptionKey,
      key.split('\n')[5],
    ])
  }).timeout(90_000)
})

test.group('The text of a broadcast', () => {
  test('reaches its recipients, and no log or error', async ({ assert, cleanup }) => {
    const smtp = await new TestSmtpServer().start()
    const service = await watched({ SMTP_PORT: String(smtp.port) })
    cleanup(async () => {
      await service.stop()
      await smtp.stop()
    })
    const application = await anApplication()
    const path = pathOf(application)
    const [taken, refused] = uniqueEmails(2)
    const marker = `told-${randomUUID()}`
    const data = { subject: marker, body: `It is ${marker}` }
    const wanted = { type: 'generic', data, audience: { kind: 'emails', emails: [taken, refused] } }
    smtp.refusal = 'no'
    smtp.react = (stage, address) => (stage === 'RCPT' && address === refused ? 550 : undefined)
    const made = await service.ask('POST', path, wanted)
    assert.equal(made.status, 202)
    for (const wrong of [
      { type: 'unknown' },
      { audience: { kind: 'nobody' } },
      { audience: { kind: 'role', roleCode: 'unknown' } },
      { data: { body: marker } },
      { data: { ...data, more: marker.repeat(2_000) } },
      { ratePerSecond: -1 },
    ]) {
      const { status } = await service.ask('POST', path, { ...wanted, ...wrong })
      assert.equal(status, 400, JSON.stringify(wrong).slice(0, 100))
    }
    await service.ask('POST', path, `${JSON.stringify(wanted)}}`)
    await service.ask('POST', path, wanted, {})
    const done = await waitForBroadcastStatus(made.body.data.id, 'completed', 20_000)
    assert.deepEqual([done.sent, done.failed], [1, 1])
    await service.ask('GET', path)
    await service.ask('GET', pathOf(application, made.body.data.id))
    await service.stop()
    await eventually('the mail is here', () => smtp.mails.length === 1)
    assert.include(smtp.mails[0].raw.toString(), marker)
    assertNone(assert, { log: service.output(), responses: service.responses() }, [marker])
  }).timeout(60_000)
})
