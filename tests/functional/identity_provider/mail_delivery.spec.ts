import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import Delivery from '#app/delivery/models/delivery'
import ProviderMail from '#app/identity_provider/models/provider_mail'
import { finishPendingDeliveries } from '#app/identity_provider/mail_hook/deliver_provider_mail'
import { ProviderMailSource } from '#app/identity_provider/mail_hook/provider_mail_source'
import { eventually } from '#tests/helpers/eventually'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import {
  LONG_AGO,
  withRecipient,
  anOrganisation,
  logEntriesOf,
  postProviderMessage,
  postToHook,
  storedMail,
  encodeMessage,
  withSigningKey,
  deliverDueMail,
} from '#tests/helpers/provider_hook'
import { loginCode, passwordReset, uniqueSecret } from '#tests/helpers/provider_samples'
import { sameDatabase } from '#tests/helpers/same_database'
import { signatureOf } from '#tests/helpers/signature'
import { startService } from '#tests/world/service'
import identityProvider from '#config/identity_provider'

const minutes = (count: number) => DateTime.utc().plus({ minutes: count })

function secretMessage(organisation: string, email: string) {
  const code = uniqueSecret('CODE')
  const ticket = uniqueSecret('TICKET')
  const message = withRecipient(passwordReset(), organisation, email)
  message.templateData = {
    ...message.templateData,
    subject: `Reset with ${code}`,
    text: `Your code is ${code}.`,
    url: `https://id.example.com/reset?code=${code}&ticket=${ticket}&a=%20%C4%8D`,
  }
  message.args = { ...message.args, code }
  return { message, secrets: [code, ticket] }
}

/** No table contains any of the texts in plain text. */
async function assertNowhere(assert: Assert, texts: string[]) {
  const tables = ['provider_mails', 'notifications', 'deliveries', 'delivery_attempts', 'users']
  for (const table of tables) {
    const dump = JSON.stringify(await db.from(table))
    for (const text of texts) assert.isFalse(dump.includes(text), `${table} holds ${text}`)
  }
}

test.group('Mails of the provider: duplicates', (group) => {
  withSigningKey(group)

  test('a repeated body is a duplicate, whatever its signature', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const message = withRecipient(loginCode(), id, email)
    assert.containSubset(await postProviderMessage(message), { code: 200, status: 'sent' })
    const body = encodeMessage(message)
    const later = {
      'zitadel-signature': signatureOf(body, { at: Math.floor(Date.now() / 1000) + 60 }),
    }
    const again = await postToHook(body, later)
    assert.equal(again.status, 200)
    assert.deepEqual(await again.json(), {
      success: true,
      data: { status: 'duplicate', templateSource: 'panel' },
    })
    assert.lengthOf(server.mailsTo(email), 1)
    assert.lengthOf(await logEntriesOf(email), 1)
  })

  test('a repeated body is a duplicate after APP_KEY was replaced', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const message = withRecipient(loginCode(), id, email)
    assert.containSubset(await postProviderMessage(message), { code: 200, status: 'sent' })
    const service = await startService({
      ...sameDatabase(),
      APP_KEY: 'the-key-that-came-after-the-first',
      APP_KEY_PREVIOUS: process.env.APP_KEY,
    })
    cleanup(async () => void (await service.stop()))
    const again = await postProviderMessage(message, service.url)
    assert.containSubset(again, { code: 200, status: 'duplicate' })
    assert.lengthOf(server.mailsTo(email), 1)
  })

  test('a new code is a new mail', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    for (const oTP of ['111111', '222222']) {
      const message = withRecipient(loginCode(), id, email)
      message.args = { ...message.args, oTP }
      assert.equal((await postProviderMessage(message)).status, 'sent')
    }
    assert.lengthOf(server.mailsTo(email), 2)
    const ids = server.mailsTo(email).map(({ parsed }) => parsed.messageId)
    assert.equal(new Set(ids).size, 2)
  })

  test('a body repeated after a week is a new mail', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const message = withRecipient(loginCode(), id, email)
    await postProviderMessage(message)
    const mail = await storedMail(email)
    await mail.merge({ receivedAt: DateTime.utc().minus({ days: 6, hours: 23 }) }).save()
    assert.equal((await postProviderMessage(message)).status, 'duplicate')
    await mail.merge({ receivedAt: DateTime.utc().minus({ days: 7, minutes: 1 }) }).save()
    assert.equal((await postProviderMessage(message)).status, 'sent')
    assert.lengthOf(server.mailsTo(email), 2)

    const other = await storedMail(email)
    await other.merge({ receivedAt: DateTime.utc().minus({ days: 8 }) }).save()
    await new ProviderMailSource().work()
    assert.isNull(await ProviderMail.find(other.id), 'what is too old is forgotten')
  })

  test('200 concurrent calls with repetitions send every mail once', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const people = Array.from({ length: 50 }, () => uniqueEmail())
    const messages = people.map((email) => withRecipient(passwordReset(), id, email))
    // One address may have a quarter of the places. Like the provider, it repeats what is refused.
    const post = (message: (typeof messages)[number]) =>
      eventually(
        'it is taken',
        async () => {
          const response = await postProviderMessage(message)
          return response.code === 429 ? undefined : response
        },
        30_000
      )
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, number) => post(messages[number % messages.length]))
    )
    for (const { code } of responses) assert.include([200, 202], code)
    assert.lengthOf(
      responses.filter(({ status }) => status === 'duplicate'),
      150
    )
    const source = new ProviderMailSource()
    await eventually(
      'all are taken',
      async () => {
        await source.work()
        return server.mails.length >= 50
      },
      20_000
    )
    await finishPendingDeliveries()
    for (const email of people) assert.lengthOf(server.mailsTo(email), 1)
  }).timeout(60_000)
})

test.group('Mails of the provider: many at a time', (group) => {
  withSigningKey(group)

  test('the hook leaves a mail to the background while many are in progress', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
    cleanup(() => server.stop())
    server.react = (stage) => (stage === 'RCPT' ? released : undefined)
    const post = (email: string) => postProviderMessage(withRecipient(passwordReset(), id, email))
    const { mostAwaited } = identityProvider.mails
    const waiting = Array.from({ length: mostAwaited }, () => uniqueEmail())
    const responses = await Promise.all(waiting.map(post))
    for (const { status } of responses) assert.equal(status, 'queued')
    const email = uniqueEmail()
    assert.containSubset(await post(email), { code: 202, status: 'queued' })
    assert.isAtMost((await storedMail(email)).dueAt!.toMillis(), Date.now())
    release(undefined)
    await finishPendingDeliveries()
    await new ProviderMailSource().work()
    await eventually('it is sent', () => server.mailsTo(email).length === 1)
    for (const one of waiting) assert.lengthOf(server.mailsTo(one), 1)
  }).timeout(60_000)
})

test.group('Mails of the provider: failing mail servers', (group) => {
  withSigningKey(group)

  test('a refused mail is queued and later sent unchanged', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const { message, secrets } = secretMessage(id, email)
    server.react = (stage) => (stage === 'DATA' ? 451 : undefined)
    assert.containSubset(await postProviderMessage(message), {
      code: 202,
      status: 'queued',
      templateSource: 'panel',
    })
    assert.containSubset(await postProviderMessage(message), { code: 200, status: 'duplicate' })
    const mail = await storedMail(email)
    assert.equal(mail.status, 'queued')
    assert.isNotNull(mail.content)
    assert.isAbove(mail.dueAt!.toMillis(), Date.now())
    await assertNowhere(assert, secrets)
    const [waiting] = await logEntriesOf(email)
    assert.equal(waiting.status, 'failed')
    assert.match(waiting.statusReason!, /^SMTP_ERROR: .*451.*; it will be retried$/)

    const stillRefused = await deliverDueMail(mail)
    assert.containSubset(stillRefused, { status: 'queued', rounds: 2 })
    server.react = () => undefined
    const sent = await deliverDueMail(mail)
    assert.containSubset(sent, { status: 'sent', content: null, dueAt: null })
    const [{ parsed }] = server.mailsTo(email)
    assert.lengthOf(server.mailsTo(email), 1)
    const [audit] = await logEntriesOf(email)
    assert.containSubset(audit, { status: 'sent', statusReason: null })
    const deliveries = await Delivery.query().where('notificationId', audit.id)
    assert.lengthOf(deliveries, 1)
    assert.containSubset(deliveries[0], {
      channel: 'email',
      status: 'sent',
      attempts: 7,
      error: null,
      providerMessageId: parsed.messageId,
    })
    await assertNowhere(assert, secrets)
  }).timeout(60_000)

  test('a hanging server does not delay the hook beyond its deadline', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    for (const stage of ['CONNECT', 'DATA'] as const) {
      server.react = (at) => (at === stage ? 'stall' : undefined)
      const response = await postProviderMessage(withRecipient(passwordReset(), id))
      assert.containSubset(response, { code: 202, status: 'queued' })
      assert.isBelow(response.ms, 4_500, stage)
      server.react = () => undefined
      server.cut()
    }
  })

  test('a slow server gets the mail once, after the hook has responded', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    server.delayMs = 4_000
    const response = await postProviderMessage(withRecipient(passwordReset(), id, email))
    assert.containSubset(response, { code: 202, status: 'queued' })
    assert.isBelow(response.ms, 4_000)
    const mail = await storedMail(email)
    await eventually('the mail is done', async () => (await mail.refresh()).status === 'sent')
    assert.lengthOf(server.mailsTo(email), 1)
  })

  test('after 15 minutes a mail is given up and erased, and sent if it is repeated', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const { message, secrets } = secretMessage(id, email)
    server.refusal = `no such mail: ${secrets[0]} https://id.example.com/?ticket=${secrets[1]}`
    server.react = (stage) => (stage === 'RCPT' ? 550 : undefined)
    assert.equal((await postProviderMessage(message)).status, 'queued')
    const mail = await storedMail(email)
    assert.closeTo(mail.giveUpAt.diff(mail.receivedAt, 'minutes').minutes, 15, 0.01)
    const before = await deliverDueMail(mail, { giveUpAt: minutes(1) })
    assert.containSubset(before, { status: 'queued', rounds: 2 })
    const givenUp = await deliverDueMail(mail, { giveUpAt: minutes(-1) })
    assert.containSubset(givenUp, { status: 'failed', content: null, dueAt: null })
    const [audit] = await logEntriesOf(email)
    assert.match(audit.statusReason!, /^SMTP_ERROR: (?!.*retried)/)
    await assertNowhere(assert, secrets.slice(0, 1))

    server.react = () => undefined
    assert.containSubset(await postProviderMessage(message), { code: 200, status: 'sent' })
    assert.lengthOf(server.mailsTo(email), 1)
    assert.lengthOf(await logEntriesOf(email), 2)
  }).timeout(60_000)

  test('a mail that this process cannot decrypt waits for one that can', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    server.react = () => 451
    await postProviderMessage(withRecipient(passwordReset(), id, email))
    server.react = () => undefined
    const stored = await storedMail(email)
    const { content } = stored
    const waiting = await deliverDueMail(stored, { content: 'app.of.another.key' })
    assert.containSubset(waiting, { status: 'queued', rounds: 2 })
    assert.isEmpty(server.mailsTo(email))
    const sent = await deliverDueMail(waiting, { content })
    assert.containSubset(sent, { status: 'sent', content: null })
    assert.lengthOf(server.mailsTo(email), 1)
  })

  test('a mail that no process can decrypt is given up after its time', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    server.react = () => 451
    await postProviderMessage(withRecipient(passwordReset(), id, email))
    const giveUpAt = DateTime.utc()
    const mail = await deliverDueMail(await storedMail(email), {
      content: 'app.of.another.key',
      giveUpAt,
    })
    assert.containSubset(mail, { status: 'failed', content: null })
    const [entry] = await logEntriesOf(email)
    assert.match(entry.statusReason!, /cannot be decrypted with the key of this installation$/)
  })

  test('concurrent workers never send a mail twice', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    server.react = (stage) => (stage === 'MAIL' ? 550 : undefined)
    const people = Array.from({ length: 15 }, () => uniqueEmail())
    await Promise.all(
      people.map((email) => postProviderMessage(withRecipient(passwordReset(), id, email)))
    )
    // Those that took too long for a response are still being sent.
    await finishPendingDeliveries()
    server.react = () => undefined
    for (const email of people) {
      await (await storedMail(email)).merge({ dueAt: LONG_AGO }).save()
    }
    const sources = Array.from({ length: 6 }, () => new ProviderMailSource())
    await eventually(
      'everything is sent',
      async () => {
        await Promise.all(sources.map((source) => source.work()))
        return server.mails.length >= people.length
      },
      30_000
    )
    for (const email of people) assert.lengthOf(server.mailsTo(email), 1)
  }).timeout(60_000)

  test('a mail server that hangs delays only the mails of its brand', async ({
    assert,
    cleanup,
  }) => {
    const [hanging, other] = [await anOrganisation(), await anOrganisation()]
    for (const { server } of [hanging, other]) {
      cleanup(() => server.stop())
      server.react = (stage) => (stage === 'MAIL' ? 451 : undefined)
    }
    const people = Array.from({ length: 15 }, () => uniqueEmail())
    const late = uniqueEmail()
    await Promise.all([
      ...people.map((email) =>
        postProviderMessage(withRecipient(passwordReset(), hanging.id, email))
      ),
      postProviderMessage(withRecipient(passwordReset(), other.id, late)),
    ])
    await finishPendingDeliveries()
    hanging.server.react = () => 'stall'
    other.server.react = () => undefined
    for (const email of people) await (await storedMail(email)).merge({ dueAt: LONG_AGO }).save()
    const dueLast = DateTime.utc().minus({ seconds: 1 })
    await (await storedMail(late)).merge({ dueAt: dueLast }).save()
    const source = new ProviderMailSource()
    await eventually('the other mail is sent', async () => {
      await source.work()
      return other.server.mailsTo(late).length === 1
    })
    const waiting = await ProviderMail.query().where('dueAt', toDatabaseTimestamp(LONG_AGO))
    assert.isAtLeast(waiting.length, 5, 'a brand has few rounds at a time')
    hanging.server.cut()
    hanging.server.react = () => undefined
    await finishPendingDeliveries()
  }).timeout(60_000)

  test('thousands of mails to one domain do not delay those to others', async ({
    assert,
    cleanup,
  }) => {
    const { id, brand, server } = await anOrganisation()
    cleanup(() => server.stop())
    server.react = (stage) => (stage === 'MAIL' ? 451 : undefined)
    const [many, late] = [`${uniqueCode('user')}@busy.example`, uniqueEmail()]
    for (const email of [many, late]) {
      await postProviderMessage(withRecipient(passwordReset(), id, email))
    }
    await finishPendingDeliveries()
    server.react = () => undefined
    const { notificationId } = await storedMail(many)
    const waiting = Array.from({ length: 2_500 }, (_, index) => ({
      fingerprint: `${brand.slug} ${index}`,
      claim: '',
      status: 'queued' as const,
      content: 'unreadable',
      brandId: brand.id,
      notificationId,
      templateSource: 'idp' as const,
      rounds: 0,
      dueAt: LONG_AGO,
      giveUpAt: minutes(15),
      receivedAt: LONG_AGO,
    }))
    await ProviderMail.createMany(waiting)
    cleanup(async () => {
      await ProviderMail.query().where('brandId', brand.id).delete()
    })
    await (await storedMail(late)).merge({ dueAt: minutes(-1) }).save()

    const source = new ProviderMailSource()
    await source.work()
    await source.work()
    await finishPendingDeliveries()
    assert.lengthOf(server.mailsTo(late), 1)
  }).timeout(60_000)
})

test.group('Mails of the provider: undeliverable messages', (group) => {
  withSigningKey(group)

  test('a message without an address is undeliverable and logged', async ({ assert, cleanup }) => {
    const { id, brand, server } = await anOrganisation()
    cleanup(() => server.stop())
    for (const address of [
      '',
      'nobody',
      'a@b.example,c@d.example',
      'a@x.example\r\nBcc: e@x.example',
    ]) {
      const response = await postProviderMessage(withRecipient(loginCode(), id, address))
      assert.containSubset(response, {
        code: 200,
        status: 'undeliverable',
        templateSource: 'panel',
      })
    }
    assert.isEmpty(server.mails)
    const [audit] = (await logEntriesOf('')).slice(-1)
    assert.containSubset(audit, { appCode: 'auth', status: 'skipped' })
    assert.match(audit.statusReason!, /^NO_CHANNEL/)
    assert.exists(brand)
  })

  test('an unknown event without texts is undeliverable and logged', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const message = withRecipient(loginCode(), id, email)
    message.contextInfo.eventType = 'user.human.something.new'
    for (const templateData of [undefined, null, {}, { subject: 'Only a subject' }]) {
      const response = await postProviderMessage({ ...message, templateData })
      assert.containSubset(response, { code: 200, status: 'undeliverable', templateSource: null })
    }
    const audits = await logEntriesOf(email)
    assert.lengthOf(audits, 4)
    assert.match(audits[0].statusReason!, /^NO_TEMPLATE/)
  })
})

test.group('Mails of the provider: hostile messages', (group) => {
  withSigningKey(group)

  test('names and subjects cannot inject headers or HTML', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    const message = withRecipient(passwordReset(), id, email)
    message.contextInfo.eventType = 'user.human.something.new'
    message.templateData = {
      subject: 'Hello&#13;&#10;Bcc: eve@evil.example\r\nX-Evil: 1',
      text: '<script>alert(1)</script>Read <b>this</b> &lt;img src=x onerror=alert(1)&gt;',
      url: 'javascript:alert(1)',
      buttonText: 'Go',
    }
    message.args = { ...message.args, displayName: 'Ada\r\nX-Evil: 1 &lt;eve@evil.example&gt;' }
    assert.equal((await postProviderMessage(message)).status, 'sent')
    const [{ parsed, to }] = server.mailsTo(email)
    assert.deepEqual(to, [email])
    assert.isFalse(parsed.headers.has('bcc') || parsed.headers.has('x-evil'))
    assert.equal(parsed.subject, 'Hello Bcc: eve@evil.example X-Evil: 1')
    assert.notMatch(parsed.html || '', /<script|<img|<b>|javascript:/)
    assert.include(parsed.text!, '<img src=x onerror=alert(1)>')
  })

  test('a name with line breaks, or too long for a header, is shortened', async ({
    assert,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const names = {
      'Ada&#10;\r\nKing': 'Ada King',
      [`${'x'.repeat(1_500)}`]: 'x'.repeat(200),
    }
    for (const [displayName, shown] of Object.entries(names)) {
      const email = uniqueEmail()
      const message = withRecipient(passwordReset(), id, email)
      message.args = { ...message.args, displayName }
      assert.equal((await postProviderMessage(message)).status, 'sent')
      const [{ parsed }] = server.mailsTo(email)
      assert.deepEqual([parsed.to].flat()[0]!.value, [{ address: email, name: shown }])
    }
  })

  test('wrong types are refused and cannot pollute prototypes', async ({ assert }) => {
    for (const body of [
      '[]',
      '{}',
      '{"contextInfo":null}',
      '{"contextInfo":{"eventType":5}}',
      '{"contextInfo":{"eventType":"x"},"args":[]}',
      '{"contextInfo":{"eventType":"x"},"args":{"orgID":{"toString":1}}}',
      '{"__proto__":{"contextInfo":{"eventType":"x"}}}',
    ]) {
      assert.equal((await postToHook(body)).status, 400, body)
    }
    const large = JSON.stringify({ a: 'x'.repeat(1_048_576) })
    assert.equal((await postToHook(large)).status, 413)
  })
})
