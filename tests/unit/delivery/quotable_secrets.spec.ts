import { test } from '@japa/runner'
import quotedPrintable from 'nodemailer/lib/qp/index.js'
import { shortLine } from '#core/values/short_line'
import { quotableSecrets } from '#app/delivery/mail/quotable_secrets'
import { bounceTokensIn } from '#app/delivery/mail/signed_bounce_address'
import { unsubscribeTokensIn, unsubscribeUrl } from '#app/notifications/values/unsubscribe_token'

const PASSWORD = 'P4ss+w/o=rd č"é'
const TOKEN = '7i-c2429d51f0a1b2c3d4e5f60718293a4b5c6'
const SENDER = `bounces+mail+${TOKEN}@acme.example`
const URL = unsubscribeUrl({ id: 4_711, email: 'ann@tests.example' }, { id: 815, code: 'news' })
const UNSUBSCRIBE_TOKEN = URL.slice(URL.lastIndexOf('/') + 1)

const ACCOUNT = {
  host: 'mail.example',
  port: 25,
  secure: false,
  user: 'mailer',
  password: PASSWORD,
  tls: 'none' as const,
}
const MAIL = {
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': `<${URL}>` },
  envelope: { from: SENDER, to: ['ada@acme.example'] },
}

const recorded = (text: string, mail = MAIL, account = ACCOUNT) =>
  shortLine(`550 refused ${text}`, quotableSecrets(mail, account), 4_096)

const base64 = (text: string) => Buffer.from(text).toString('base64')
const base64Url = (text: string) => Buffer.from(text).toString('base64url')

const WHOLE: Record<string, string> = {
  'a password': PASSWORD,
  'a password for URLs': encodeURIComponent(PASSWORD),
  'a password for forms': new URLSearchParams({ s: PASSWORD }).toString().slice(2),
  'a password in JSON': JSON.stringify(PASSWORD).slice(1, -1),
  'a password in quoted-printable': quotedPrintable.encode(PASSWORD),
  'a password in base64 (AUTH LOGIN)': base64(PASSWORD),
  'a password in base64 for URLs': base64Url(PASSWORD),
  'a password as bytes': Buffer.from(PASSWORD).toString('latin1'),
  'the line of AUTH PLAIN': base64(`\0mailer\0${PASSWORD}`),
  'the line of AUTH PLAIN for URLs': base64Url(`\0mailer\0${PASSWORD}`),
  'the token of a link': UNSUBSCRIBE_TOKEN,
  'the token of a link in base64': base64(UNSUBSCRIBE_TOKEN),
  'the signature of a link': UNSUBSCRIBE_TOKEN.split('.')[1],
  'the token of a sender': TOKEN,
  'the token of a sender in capitals': TOKEN.toUpperCase(),
  'the token of a sender in base64': base64(TOKEN),
  'the signature of a sender': TOKEN.slice(-20),
}

/** What is readable in base64 that is within longer base64, at each of its positions. */
const LONGER: Record<string, string> = {
  'a password': PASSWORD,
  'a link': URL,
  'a sender': SENDER,
}

test.group('What a server quotes of a login and a mail', () => {
  for (const [title, form] of Object.entries(WHOLE)) {
    test(`is recorded without ${title}`, ({ assert }) => {
      assert.equal(recorded(`${form}, sorry`), '550 refused …, sorry')
    })
  }

  for (const [title, secret] of Object.entries(LONGER)) {
    test(`is recorded without ${title} within longer base64`, ({ assert }) => {
      for (const before of ['', 'x', 'xx']) {
        const line = recorded(base64(`${before}${secret} is not valid`))
        assert.include(line, '…')
        const decoded = line
          .slice('550 refused '.length)
          .split('…')
          .flatMap((part) => [0, 1, 2, 3].map((at) => Buffer.from(part.slice(at), 'base64')))
          .join('\n')
        for (const part of [
          PASSWORD.slice(2, -3),
          TOKEN.slice(-18),
          UNSUBSCRIBE_TOKEN.slice(-18),
        ]) {
          assert.notInclude(decoded, part)
        }
      }
    })
  }

  test('still says where a link and a sender were', ({ assert }) => {
    const base = URL.slice(0, URL.lastIndexOf('/') + 1)
    assert.equal(recorded(`<${URL}>`), `550 refused <${base}…>`)
    assert.equal(recorded(encodeURIComponent(URL)), `550 refused ${encodeURIComponent(base)}…`)
    assert.equal(recorded(`${SENDER}: no`), '550 refused bounces+mail+…@acme.example: no')
  })

  test('is recorded without links in its texts that another key signed', ({ assert }) => {
    const links = ['https://old.example/api/unsubscribe/abc-1.def_2', '/api/unsubscribe/ghi.j-kl']
    const mail = { ...MAIL, html: `<a href="${links[0]}">x</a>`, text: `Go to ${links[1]}.` }
    const expected = '550 refused https://old.example/api/unsubscribe/… /api/unsubscribe/… … …'
    assert.equal(recorded(`${links.join(' ')} abc-1.def_2 j-kl`, mail), expected)
  })

  test('is recorded as it is if the account has no password, or a very short one', ({ assert }) => {
    for (const password of [null, '', '123']) {
      const account = { ...ACCOUNT, password } as typeof ACCOUNT
      assert.equal(recorded('mailer 123 null', MAIL, account), '550 refused mailer 123 null')
    }
  })

  test('has no tokens without links and own senders', ({ assert }) => {
    const headers = { 'Auto-Submitted': 'auto-generated' }
    const mail = { html: 'a', text: 'b', headers, envelope: undefined }
    assert.deepEqual(quotableSecrets(mail, { ...ACCOUNT, password: null }), [])
    assert.deepEqual(unsubscribeTokensIn('see /api/unsubscribe/example and /api/unsubscribe/'), [])
    assert.include(bounceTokensIn(`a+b+${TOKEN}@x.example`), TOKEN)
  })

  test('takes linear time to collect', ({ assert }) => {
    const html = '/api/unsubscribe/'.repeat(60_000) + 'a-'.repeat(500_000)
    const startedAt = process.cpuUsage()
    quotableSecrets({ ...MAIL, html }, ACCOUNT)
    const { user, system } = process.cpuUsage(startedAt)
    assert.isBelow((user + system) / 1_000, 1_000)
  })
})
