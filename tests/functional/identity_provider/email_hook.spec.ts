import { test } from '@japa/runner'
import UserPool from '#app/platform/models/user_pool'
import Brand from '#app/platform/models/brand'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import {
  withRecipient,
  anOrganisation,
  logEntriesOf,
  postProviderMessage,
  postToHook,
  encodeMessage,
  withSigningKey,
} from '#tests/helpers/provider_hook'
import { deleteStoredProvider } from '#tests/helpers/notification_provider'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import {
  activation,
  invitation,
  loginCode,
  passwordChanged,
  passwordReset,
} from '#tests/helpers/provider_samples'
import { problemOf } from '#tests/helpers/send'
import { HOOK_KEY, signatureOf } from '#tests/helpers/signature'
import { MAIL_FROM, WEBHOOK_SECRET, smtp } from '#tests/world/prepare'

const SAMPLES = { activation, passwordReset, invitation, loginCode, passwordChanged }

test.group('E-mail hook: authentication', (group) => {
  withSigningKey(group)

  test('accepts a signature in any of the headers', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    for (const name of ['IDP-Signature', 'ZITADEL-Signature', 'X-ZITADEL-Signature']) {
      const body = encodeMessage(withRecipient(activation(), id))
      const response = await postToHook(body, { [name]: signatureOf(body) })
      assert.equal(response.status, 200, name)
    }
  })

  test('verifies the exact bytes, not their meaning', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const body = encodeMessage(withRecipient(activation(), id, email))
    const header = { 'idp-signature': signatureOf(body) }
    for (const other of [`${body} `, JSON.stringify(JSON.parse(body)), body.slice(0, -1)]) {
      const problem = await problemOf(assert, await postToHook(other, header))
      assert.deepInclude(problem, { status: 401, code: 'INVALID_SIGNATURE' })
    }
    assert.isEmpty(await logEntriesOf(email))
    // A byte order mark is part of the signed bytes, too.
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from(body)])
    const response = await postToHook(marked, { 'idp-signature': signatureOf(marked) })
    assert.equal(response.status, 200)
  })

  test('responds 401 to a missing, malformed, wrong or stale signature and stores nothing', async ({
    assert,
  }) => {
    const email = uniqueEmail()
    const body = encodeMessage(withRecipient(activation(), 'any', email))
    const now = Math.floor(Date.now() / 1000)
    const cases: [Record<string, string>, string][] = [
      [{}, 'INVALID_SIGNATURE'],
      [{ 'idp-signature': 't=abc,v1=00' }, 'INVALID_SIGNATURE'],
      [{ 'idp-signature': signatureOf(body, { key: 'another' }) }, 'INVALID_SIGNATURE'],
      [{ 'idp-signature': signatureOf(body, { at: now - 302 }) }, 'SIGNATURE_EXPIRED'],
      [{ 'idp-signature': signatureOf(body, { at: now + 302 }) }, 'SIGNATURE_EXPIRED'],
      [{ 'x-webhook-secret': WEBHOOK_SECRET }, 'INVALID_SIGNATURE'],
    ]
    for (const [headers, code] of cases) {
      const response = await postToHook(body, headers)
      assert.isNotNull(response.headers.get('www-authenticate'))
      const problem = await problemOf(assert, response)
      assert.deepInclude(problem, { status: 401, code })
    }
    assert.isEmpty(await logEntriesOf(email))
  })

  test('responds 503 if no key is stored', async ({ assert }) => {
    await deleteStoredProvider()
    const body = encodeMessage(activation())
    const response = await postToHook(body, { 'idp-signature': signatureOf(body) })
    const problem = await problemOf(assert, response)
    assert.deepInclude(problem, { status: 503, code: 'PROVIDER_NOT_CONFIGURED' })
    for (const header of [
      't=abc,v1=00',
      't=1',
      'nonsense',
      signatureOf(body).replace('v1=', 'v0='),
    ]) {
      const malformed = await postToHook(body, { 'idp-signature': header })
      assert.deepInclude(await problemOf(assert, malformed), {
        status: 401,
        code: 'INVALID_SIGNATURE',
      })
    }
  })

  test('accepts one valid signature of several', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const body = encodeMessage(withRecipient(activation(), id))
    const [, digest] = signatureOf(body, { key: 'the next key' }).split(',')
    const headers = { 'zitadel-signature': `${signatureOf(body, { key: HOOK_KEY })},${digest}` }
    assert.equal((await postToHook(body, headers)).status, 200)
  })
})

test.group('E-mail hook: brand', (group) => {
  withSigningKey(group)

  test('uses the brand of the organisation, with its sender and server', async ({
    assert,
    cleanup,
  }) => {
    const [acme, contoso] = [
      await anOrganisation({ appearance: colors('#aa1122') }),
      await anOrganisation({ appearance: colors('#116633'), emailFromName: 'Contoso' }),
    ]
    cleanup(() => Promise.all([acme.server.stop(), contoso.server.stop()]).then(() => {}))
    const email = uniqueEmail()
    for (const { id } of [acme, contoso]) {
      const response = await postProviderMessage(withRecipient(passwordReset(), id, email))
      assert.containSubset(response, { code: 200, status: 'sent', templateSource: 'panel' })
    }
    for (const [{ brand, server }, color] of [
      [acme, '#aa1122'],
      [contoso, '#116633'],
    ] as const) {
      assert.lengthOf(server.mails, 1)
      const [{ parsed }] = server.mails
      assert.equal(parsed.from?.value[0].address, brand.emailFrom)
      // The sender name of the type replaces the brand's.
      assert.equal(parsed.from?.value[0].name, 'Auth')
      assert.include(parsed.html || '', color)
      assert.include(parsed.html || '', brand.name)
      assert.isFalse(parsed.headers.has('list-unsubscribe'))
    }
  })

  test('falls back to the brand of the user pool, then to the default one', async ({
    assert,
    cleanup,
  }) => {
    const { brand, server } = await anOrganisation()
    cleanup(() => server.stop())
    const [branded, plain] = [uniqueCode('organisation'), uniqueCode('organisation')]
    await aPool(branded, brand.id)
    await aPool(plain, null)
    const [first, second] = [uniqueEmail(), uniqueEmail()]
    assert.equal((await postProviderMessage(withRecipient(activation(), branded, first))).code, 200)
    assert.equal((await postProviderMessage(withRecipient(activation(), plain, second))).code, 200)
    assert.lengthOf(server.mailsTo(first), 1)
    const [mail] = smtp.mailsTo(second)
    assert.equal(mail.parsed.from?.value[0].address, MAIL_FROM)
    assert.include(mail.parsed.html || '', (await Brand.default()).name)
  })

  test('responds 404 to a missing organisation and to one outside all pools', async ({
    assert,
  }) => {
    const email = uniqueEmail()
    for (const message of [
      withRecipient(activation(), uniqueCode('organisation'), email),
      withRecipient(passwordChanged(), undefined, email),
      withRecipient(loginCode(), '', email),
    ]) {
      const response = await postToHook(encodeMessage(message))
      const problem = await problemOf(assert, response)
      assert.deepInclude(problem, { status: 404, code: 'ORGANISATION_NOT_SERVED' })
    }
    assert.isEmpty(smtp.mailsTo(email))
    assert.isEmpty(await logEntriesOf(email))
  })

  test('finds the organisation in each of its fields and in the link', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const link = (parameter: string) => `https://id.example.com/x?code=C0DE&${parameter}=${id}`
    const { templateData } = activation()
    for (const fields of [
      { args: { orgID: id } },
      { args: { orgId: id } },
      { args: { orgID: '' }, templateData: { ...templateData, url: link('orgID') } },
      { args: {}, templateData: { ...templateData, url: link('organization') } },
    ]) {
      const message = { ...withRecipient(activation(), undefined), ...fields }
      assert.equal((await postProviderMessage(message)).code, 200, JSON.stringify(fields.args))
    }
    const { contextInfo, ...message } = withRecipient(activation(), undefined)
    const context = { ...contextInfo, orgId: id }
    const rest = { ...message, templateData: { ...templateData, url: '' } }
    assert.equal((await postProviderMessage({ contextInfo: context, ...rest })).code, 200)
    assert.lengthOf(server.mails, 5)
  })
})

test.group('E-mail hook: texts', (group) => {
  withSigningKey(group)

  test('delivers every sample message with the template of its event')
    .with([
      { name: 'activation', template: 'account_activation', code: '7XK2PD' },
      { name: 'passwordReset', template: 'password_reset', code: 'Q4MN8Z' },
      { name: 'invitation', template: 'user_invitation', code: 'H2J9WE' },
      { name: 'loginCode', template: 'otp_email', code: '48151623' },
      { name: 'passwordChanged', template: 'password_changed', code: null },
    ] as const)
    .run(async ({ assert, cleanup }, { name, template, code }) => {
      const { id, server } = await anOrganisation()
      cleanup(() => server.stop())
      const email = uniqueEmail()
      const response = await postProviderMessage(withRecipient(SAMPLES[name](), id, email))
      assert.containSubset(response, { code: 200, status: 'sent', templateSource: 'panel' })
      const [{ parsed }] = server.mailsTo(email)
      if (code !== null) {
        assert.include(parsed.text!, code)
        assert.include(parsed.html || '', code)
      }
      const [audit] = await logEntriesOf(email)
      assert.containSubset(audit.serialize(), {
        appCode: 'auth',
        type: 'auth_idp',
        templateKey: template,
        status: 'sent',
        statusReason: null,
        locale: 'en',
        inInbox: false,
      })
      assert.deepEqual(audit.payload, { templateSource: 'panel' })
    })

  test('uses the texts of the provider for an event without a template', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation({ appearance: colors('#aa1122') })
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const message = withRecipient(activation(), id, email)
    message.contextInfo.eventType = 'user.human.something.new'
    const response = await postProviderMessage(message)
    assert.containSubset(response, { code: 200, status: 'sent', templateSource: 'idp' })
    const [{ parsed }] = server.mailsTo(email)
    assert.equal(parsed.subject, "Welcome, Sinéad O'Neil")
    assert.include(parsed.text!, "Hello Sinéad O'Neil,")
    assert.include(parsed.html || '', 'Hello Sinéad O&#39;Neil,')
    assert.include(parsed.html || '', '#aa1122')
    assert.include(parsed.html || '', 'href="https://id.example.com/ui/login/user/init?')
    assert.notInclude(parsed.html || '', 'InitCode.Footer')
    const [audit] = await logEntriesOf(email)
    assert.deepEqual(audit.payload, { templateSource: 'idp', fallbackReason: 'UNKNOWN_EVENT' })
  })

  test('uses the texts of the provider if a required variable is missing', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const message = withRecipient(passwordReset(), id, email)
    message.templateData = { ...message.templateData, url: undefined }
    assert.containSubset(await postProviderMessage(message), { code: 200, templateSource: 'idp' })
    const [audit] = await logEntriesOf(email)
    assert.deepEqual(audit.payload, { templateSource: 'idp', fallbackReason: 'MISSING_VARIABLES' })
    const [{ parsed }] = server.mailsTo(email)
    assert.equal(parsed.subject, 'Passwort zurücksetzen')
    assert.include(parsed.text!, 'Contoso GmbH, Musterstraße 1, 10115 Berlin')
  })

  test('accepts legacy event names', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const message = withRecipient(passwordReset(), id)
    message.contextInfo.eventType = 'user.password.code.added'
    assert.containSubset(await postProviderMessage(message), {
      status: 'sent',
      templateSource: 'panel',
    })
  })

  test('reads a code from the link', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const message = withRecipient(loginCode(), id, email)
    message.args = { ...message.args, oTP: '' }
    assert.containSubset(await postProviderMessage(message), {
      status: 'sent',
      templateSource: 'panel',
    })
    assert.include(server.mailsTo(email)[0].parsed.text!, '48151623')
  })

  test('decodes and escapes names once', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const message = withRecipient(passwordReset(), id, email)
    message.args = { ...message.args, displayName: '&lt;b&gt;O&#39;Neil &amp;amp; Sons&lt;/b&gt;' }
    assert.equal((await postProviderMessage(message)).status, 'sent')
    const [{ parsed }] = server.mailsTo(email)
    assert.include(parsed.text!, "Hello <b>O'Neil &amp; Sons</b>,")
    assert.include(parsed.html || '', 'Hello &lt;b&gt;O&#39;Neil &amp;amp; Sons&lt;/b&gt;,')
  })

  test('uses the language of the profile', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const user = await ensureUser({ email })
    await user.merge({ locale: 'cs' }).save()
    assert.equal(
      (await postProviderMessage(withRecipient(passwordReset(), id, email))).status,
      'sent'
    )
    const [{ parsed }] = server.mailsTo(email)
    assert.equal(parsed.subject, 'Obnovení hesla')
    assert.include(parsed.html || '', 'lang="cs"')
    assert.equal((await logEntriesOf(email))[0].locale, 'cs')
  })

  test('sends nothing to the address that another one resembles', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const fullWidth = String.fromCodePoint(email.codePointAt(0)! + 0xfee0)
    const lookAlike = `${fullWidth}${email.slice(1)}`
    const answer = await postProviderMessage(withRecipient(passwordReset(), id, lookAlike))
    assert.equal(answer.status, 'undeliverable')
    assert.isEmpty(server.mailsTo(email))
    assert.isEmpty(await logEntriesOf(email))
  })

  test('ignores preferences and deactivated records', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const user = await ensureUser({ email })
    await user.merge({ active: false }).save()
    assert.equal(
      (await postProviderMessage(withRecipient(passwordReset(), id, email))).status,
      'sent'
    )
    assert.lengthOf(server.mailsTo(email), 1)
  })
})

function colors(primaryColor: string) {
  const none = { backgroundColor: null, fontColor: null, logoUrl: null, iconUrl: null }
  return { primaryColor, ...none }
}

async function aPool(organisationId: string, brandId: number | null) {
  const slug = uniqueCode('pool')
  const pool = await UserPool.create({ slug, name: slug, brandId })
  await pool.related('organisations').create({ organisationId })
}
