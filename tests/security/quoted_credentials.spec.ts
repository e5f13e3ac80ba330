import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { closeChannels } from '#app/delivery/channels'
import { sendTestMail } from '#app/delivery/actions/send_test_mail'
import { sendBrandTest } from '#app/delivery/brand_tests/send_brand_test'
import DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import Notification from '#app/notifications/models/notification'
import { unsubscribeUrl } from '#app/notifications/values/unsubscribe_token'
import Suppression from '#app/suppressions/models/suppression'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { storedLogin } from '#tests/helpers/brand_mail'
import { aBroadcast, startBroadcastWorker, waitForBroadcastStatus } from '#tests/helpers/broadcasts'
import { sendNotification, withOwnServer } from '#tests/helpers/deliveries'
import { aDigestedType, digestsOf, reachDigests, sendDigested } from '#tests/helpers/digests'
import { anotherService } from '#tests/helpers/internal'
import { type Cleanup, runNextRound, sendDurably } from '#tests/helpers/pending_sends'
import { aSuperAdmin, anApplication, uniqueEmail } from '#tests/helpers/people'
import {
  anOrganisation,
  postProviderMessage,
  withRecipient,
  withSigningKey,
} from '#tests/helpers/provider_hook'
import { loginCode } from '#tests/helpers/provider_samples'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { type Heard, QuotingSmtp } from '#tests/world/quoting_smtp'
import { appUrl } from '#config/app'
import mailConfig from '#config/mail'

const PASSWORD = 'Brand+pw/Zq8=7'
const LINK = `${appUrl.replace(/\/$/, '')}/api/unsubscribe/`
const STAGES = ['MAIL', 'RCPT', 'DATA', 'END'] as const

const base64 = (text: string) => Buffer.from(text).toString('base64')

async function aServer(cleanup: Cleanup) {
  const server = await new QuotingSmtp().start()
  cleanup(() => server.stop())
  return server
}

/** A person whose mails use an account of their brand, and a type that they can switch off. */
async function aReader(cleanup: Cleanup) {
  const server = await aServer(cleanup)
  const email = uniqueEmail()
  const brand = await withOwnServer(email, server, {
    emailFrom: 'mail@acme.example',
    smtp: storedLogin(server.port, PASSWORD),
  })
  return { server, email, brand, ...(await subscribed(email)) }
}

async function subscribed(email: string) {
  const application = await anApplication()
  const type = await aType(application)
  const user = await ensureUser({ email })
  return { application, type, url: unsubscribeUrl(user, type) }
}

type Reader = Awaited<ReturnType<typeof subscribed>> & { email: string }

const TEXT = { subject: 'Hello', body: 'Something happened' }

async function send(client: ApiClient, { email, application, type }: Reader) {
  const request = { recipientEmail: email, appCode: application.code, type: type.code, data: TEXT }
  const sent = await sendNotification(client, request)
  sent.assertStatus(200)
  return sent.body().data as { id: number; status: string; statusReason: string }
}

const loginQuotes = ({ login }: Heard) => [
  PASSWORD,
  encodeURIComponent(PASSWORD),
  base64(PASSWORD),
  login.at(-1)!.split(' ').at(-1)!,
  JSON.stringify({ password: PASSWORD }),
]
const LOGIN_MASKED = ['…', '…', '…', '…', '{"password":"…"}']

const linkQuotes = (url: string) => [
  `<${url}>`,
  encodeURIComponent(url),
  url.slice(LINK.length),
  url.slice(url.lastIndexOf('.') + 1),
]
const LINK_MASKED = [`<${LINK}…>`, `${encodeURIComponent(LINK)}…`, '…', '…']

/** Everything that is kept about the mails to an address, apart from their texts. */
async function keptAbout(email: string) {
  const notifications = await db.from('notifications').where({ email })
  const ids = notifications.map(({ id }) => id)
  const kept = [
    notifications.map(({ status_reason: reason }) => reason),
    await db.from('deliveries').whereIn('notification_id', ids),
    await db.from('delivery_attempts').whereIn('notification_id', ids),
    await db.from('suppressions').where({ email }),
  ]
  return JSON.stringify(kept)
}

test.group('A mail server that quotes the login and the links', () => {
  for (const mechanism of ['PLAIN', 'LOGIN']) {
    test(`after AUTH ${mechanism}, in its reply to {$self}, leaves neither readable`)
      .with([...STAGES])
      .run(async ({ assert, client, cleanup }, stage) => {
        const reader = await aReader(cleanup)
        const { server, url, email } = reader
        server.mechanism = mechanism
        for (const code of [550, 451]) {
          const quotes = (heard: Heard) => [...loginQuotes(heard), ...linkQuotes(url)]
          server.reply = (at, heard) =>
            at === stage ? [`${code} 5.7.0 ${quotes(heard).join(' ')}`] : null
          const { statusReason } = await send(client, reader)
          const masked = `${code} 5.7.0 ${[...LOGIN_MASKED, ...LINK_MASKED].join(' ')}`
          assert.equal(statusReason, `SMTP_ERROR: ${masked}`)
        }
        const kept = await keptAbout(email)
        assert.include(kept, '5.7.0 … … …')
        assert.notInclude(kept, PASSWORD)
        assert.notInclude(kept, url.slice(-20))
      })
  }

  /** What is recorded about a mail after these lines. */
  async function sendWithReply(
    { client, cleanup }: { client: ApiClient; cleanup: Cleanup },
    lines: (reader: Awaited<ReturnType<typeof aReader>>) => string[]
  ) {
    const reader = await aReader(cleanup)
    reader.server.reply = (at) => (at === 'END' ? lines(reader) : null)
    return { ...reader, ...(await send(client, reader)) }
  }

  test('over several lines of its reply leaves neither readable', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { statusReason } = await sendWithReply({ client, cleanup }, ({ url }) => [
      `550-5.7.0 ${PASSWORD.slice(0, 7)}`,
      `550-5.7.0 ${PASSWORD.slice(7)}`,
      `550 ${url}`,
    ])
    assert.equal(statusReason, `SMTP_ERROR: 550-5.7.0 … 550 ${LINK}…`)
  })

  test('with the lines of the mail leaves no link readable', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { statusReason, url } = await sendWithReply({ client, cleanup }, ({ server }) => {
      const lines = server.mails.at(-1)!.split('\r\n')
      const first = lines.findIndex((line) => line.includes('unsubscribe/'))
      return [...lines.slice(first, first + 6).map((line) => `550-${line}`), '550 refused']
    })
    assert.match(statusReason, /unsubscribe\/…/)
    const token = url.slice(LINK.length)
    for (let start = 0; start + 12 <= token.length; start += 6) {
      assert.notInclude(statusReason, token.slice(start, start + 12))
    }
  })

  test('leaves neither readable when it accepts the mail', async ({ assert, client, cleanup }) => {
    const { id, status } = await sendWithReply({ client, cleanup }, ({ url }) => [
      `250 queued by ${PASSWORD} ${url}`,
    ])
    assert.equal(status, 'sent')
    const { text } = await DeliveryAttempt.findByOrFail({ notificationId: id })
    assert.equal(text, `250 queued by … ${LINK}…`)
  })

  test('leaves other texts readable', async ({ assert, client, cleanup }) => {
    const reply = '550 5.7.1 mailer: looks like spam'
    const { statusReason } = await sendWithReply({ client, cleanup }, () => [reply])
    assert.equal(statusReason, `SMTP_ERROR: ${reply}`)
  })
})

test.group('A mail server that quotes the login and the links of', (group) => {
  withSigningKey(group)

  const refused = ({ login }: Heard, url = '') => [
    `550 5.1.1 [${PASSWORD}] [${login.at(-1)}] [${url}]`,
  ]
  const MASKED = '550 5.1.1 […] [AUTH PLAIN …]'

  const SENDS: Record<string, (client: ApiClient, reader: Reader, cleanup: Cleanup) => unknown> = {
    'a durable send': async (client, { email, application, type }) => {
      const request = { appCode: application.code, type: type.code, data: TEXT }
      await sendDurably(client, email, request)
    },
    'a broadcast': async (_, { email, application, type }, cleanup) => {
      const audience = { kind: 'emails' as const, emails: [email] }
      startBroadcastWorker(cleanup)
      const { id } = await aBroadcast(application, { type: type.code, data: TEXT, audience })
      await waitForBroadcastStatus(id, 'completed')
    },
    'a test of a template': async (_, { email, application, type }) => {
      const template = await aTemplate(application, type)
      await aVersion(template, 'en')
      await sendTestMail({ templateId: template.id, locale: 'en', data: {}, caller: email })
    },
  }

  test('{$self} leaves neither readable, not even in the suppression')
    .with(Object.keys(SENDS))
    .run(async ({ assert, client, cleanup }, title) => {
      const reader = await aReader(cleanup)
      const { server, email, url } = reader
      server.reply = (at, heard) => (at === 'RCPT' ? refused(heard, url) : null)
      await SENDS[title](client, reader, cleanup)
      const masked = `${MASKED} [${LINK}…]`
      assert.equal((await Suppression.findByOrFail({ email })).note, masked)
      const [{ statusReason }] = await Notification.query().where({ email })
      assert.equal(statusReason, `SMTP_ERROR: ${masked}`)
      const kept = await keptAbout(email)
      assert.notInclude(kept, PASSWORD)
      assert.notInclude(kept, url.slice(-20))
    })

  test('a digest leaves neither readable', async ({ assert, client, cleanup }) => {
    const { server, email, application } = await aReader(cleanup)
    const type = await aDigestedType(application)
    const user = await ensureUser({ email })
    const url = unsubscribeUrl(user, type)
    await sendDigested(client, { application, type }, email)
    server.reply = (at, heard) => (at === 'RCPT' ? refused(heard, url) : null)
    await reachDigests(email)
    const [{ statusReason }] = await digestsOf(email)
    assert.equal(statusReason, `SMTP_ERROR: ${MASKED} [${LINK}…]`)
    const kept = await keptAbout(email)
    assert.notInclude(kept, PASSWORD)
    assert.notInclude(kept, url.slice(-20))
  })

  test('a mail of the provider leaves neither readable', async ({ assert, cleanup }) => {
    const server = await aServer(cleanup)
    const organisation = await anOrganisation({ smtp: storedLogin(server.port, PASSWORD) })
    cleanup(() => organisation.server.stop())
    const email = uniqueEmail()
    const message = withRecipient(loginCode(), organisation.id, email)
    const code = String((message.args as Record<string, unknown>).oTP ?? message.args?.code)
    server.reply = (at, heard) => (at === 'RCPT' ? refused(heard, code) : null)
    await postProviderMessage(message)
    assert.equal((await Suppression.findByOrFail({ email })).note, `${MASKED} […]`)
    const [{ statusReason }] = await Notification.query().where({ email })
    assert.equal(statusReason, `SMTP_ERROR: ${MASKED} […]; it will be retried`)
    assert.notInclude(await keptAbout(email), PASSWORD)
  })

  test('a test mail of a brand leaves the login unreadable', async ({ assert, cleanup }) => {
    const server = await aServer(cleanup)
    const email = await aSuperAdmin(cleanup)
    const smtp = storedLogin(server.port, PASSWORD)
    const brand = await withOwnServer(email, server, { smtp })
    for (const stage of STAGES) {
      server.reply = (at, heard) => (at === stage ? refused(heard) : null)
      assert.equal((await sendBrandTest(brand.id, email)).message, `${MASKED} []`)
    }
    server.reply = (at) => (at === 'END' ? [`250 thanks, ${PASSWORD}`] : null)
    assert.equal((await sendBrandTest(brand.id, email)).message, '250 thanks, …')
  })
})

test.group('A mail server of the platform', (group) => {
  let server: QuotingSmtp

  group.setup(async () => {
    server = await new QuotingSmtp().start()
    const { smtp, bounceAddress } = mailConfig
    mailConfig.smtp = { ...smtp!, port: server.port, user: 'mailer', password: PASSWORD }
    mailConfig.bounceAddress = { local: 'bounces+mail', domain: 'acme.example' }
    closeChannels()
    return async () => {
      Object.assign(mailConfig, { smtp, bounceAddress })
      closeChannels()
      await server.stop()
    }
  })

  const quotes = (heard: Heard) => {
    const [, token] = /^bounces\+mail\+(.*)@/.exec(heard.from)!
    return [
      ...loginQuotes(heard),
      `${heard.from}:`,
      heard.from.toUpperCase(),
      `bounces+mail+${token}=acme.example@relay.example`,
      encodeURIComponent(heard.from),
      token,
      token.slice(-20),
    ]
  }
  const MASKED = [
    ...LOGIN_MASKED,
    'bounces+mail+…@acme.example:',
    'BOUNCES+MAIL+…@ACME.EXAMPLE',
    'bounces+mail+…=acme.example@relay.example',
    `${encodeURIComponent('bounces+mail+')}…${encodeURIComponent('@acme.example')}`,
    '…',
    '…',
  ].join(' ')

  test(
    'that quotes the login and the envelope sender in its reply to {$self} leaves neither readable'
  )
    .with([...STAGES])
    .run(async ({ assert, client }, stage) => {
      const email = uniqueEmail()
      let from = ''
      server.reply = (at, heard) => {
        if (at !== stage) return null
        from = heard.from
        return [`451 4.1.8 ${quotes(heard).join(' ')}`]
      }
      const { statusReason } = await send(client, { email, ...(await subscribed(email)) })
      assert.equal(statusReason, `SMTP_ERROR: 451 4.1.8 ${MASKED}`)
      const kept = (await keptAbout(email)).toLowerCase()
      assert.notInclude(kept, from.slice(-40, -13))
      assert.notInclude(kept, PASSWORD.toLowerCase())
    })

  test('leaves the envelope sender unreadable after each round of a send', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const { application, type } = await subscribed(email)
    server.reply = (at, { from }) => (at === 'MAIL' ? [`451 4.1.8 ${from}: not found`] : null)
    const request = { appCode: application.code, type: type.code, data: TEXT }
    const sent = await sendDurably(client, email, request)
    server.reply = (at, { from }) => (at === 'END' ? [`250 from ${from}`] : null)
    assert.equal((await runNextRound(sent)).status, 'sent')
    const attempts = await DeliveryAttempt.query().where({ notificationId: sent.id }).orderBy('id')
    assert.equal(attempts[0].text, '451 4.1.8 bounces+mail+…@acme.example: not found')
    assert.equal(attempts.at(-1)!.text, '250 from bounces+mail+…@acme.example')
  })

  test('cannot make them readable by a bounce', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { url, ...reader } = await subscribed(email)
    let sender = ''
    server.reply = (at, { from }) => {
      if (at === 'MAIL') sender = from
      return null
    }
    const { id } = await send(client, { email, url, ...reader })
    assert.match(sender, /^bounces\+mail\+./)
    const body = {
      email,
      kind: 'soft',
      notificationId: id,
      text: `552 5.2.2 ${sender}: ${url} ${base64(url.slice(LINK.length))}`,
    }
    const path = '/api/internal/notifications/bounces'
    const response = await anotherService(client).post(path, body)
    response.assertStatus(200)
    const { statusReason } = await Notification.findOrFail(id)
    assert.equal(statusReason, `BOUNCED: 552 5.2.2 bounces+mail+…@acme.example: ${LINK}… …`)
    assert.notInclude(await keptAbout(email), sender.slice(-40, -13))
  })
})
