import { createPrivateKey } from 'node:crypto'
import fc from 'fast-check'
import { test } from '@japa/runner'
import nodemailer from 'nodemailer'
import { renderMail } from '#app/delivery/mail/render_mail'
import type { SignableMail } from '#app/delivery/mail/signable_mail'
import { writeMail } from '#app/delivery/mail/write_mail'
import { rsaKeys } from '#tests/world/prepare'

const dkim = {
  domainName: 'acme.example',
  keySelector: 'one',
  privateKey: createPrivateKey(rsaKeys().privateKey),
  headerFieldNames: 'From:To:Subject:Date:Message-ID:Content-Type:List-Unsubscribe',
}

const mail = {
  from: { name: 'Příliš, s.r.o.', address: 'shop@acme.example' },
  to: [{ address: 'ada@acme.example', name: 'Ada "the first" Lovelace' }],
  subject: 'Vaše objednávka '.repeat(12),
  messageId: '<notification.1@acme.example>',
  date: new Date('2026-01-02T03:04:05Z'),
  headers: { 'List-Unsubscribe': `<https://acme.example/${'x'.repeat(120)}>` },
  baseBoundary: 'fixed',
  dkim,
}

/** The same mail through the streams of nodemailer. */
async function streamed(fields: SignableMail) {
  const transport = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  })
  const { message, envelope } = await transport.sendMail(fields as object)
  return { raw: message.toString(), envelope }
}

const BODIES = {
  'plain text': { text: 'Hello\n' },
  'HTML alone': { html: '<p>Hello</p>' },
  'both': { text: 'Hello', html: '<p>Hello</p>' },
  'an empty text': { text: '', html: '<p>Hello</p>' },
  'lines that are too long': { text: 'Hello there, '.repeat(90), html: 'x'.repeat(3_000) },
  'accents': { text: 'Dobrý den\n\n', html: `<p>${'Příliš žluťoučký kůň. '.repeat(40)}</p>\r\n` },
  'another script': { text: 'Здравствуйте. '.repeat(50), html: '你好'.repeat(500) },
  'dots, spaces and tabs': { text: '.\n..\n a  b \t\n\tc \r\n', html: ' . \n\n\n' },
  'empty lines at the end': { text: 'Hello\n\n\n\n' },
}

const TEXTS = [
  '',
  ' ',
  'Ada',
  'Ada "the first" Lovelace',
  'Jiří Müller-Nováček',
  'A,B;C:<d>',
  'Здравствуйте',
  '=?utf-8?Q?a?=',
  'tab\tand\r\nline',
  'bell\x07',
  '你好 你好',
  '\\',
  "'",
  'a@b.example',
  'Words that are long enough to be folded, because a line has 76 characters',
  'é'.repeat(80),
]
const ADDRESSES = [
  'ada@acme.example',
  'a.b+c_d@mail.acme.example',
  'příliš@acme.example',
  'ada@háček.example',
  'Ada@Acme.Example',
  '"a b"@acme.example',
  'ada@xn--hek-ela3p.example',
  'ada@1.2.3',
  "o'n@x.example",
]
/** Of every length, because lines are folded at one. */
const words = fc
  .tuple(fc.constantFrom('w', 'é'), fc.integer({ min: 1, max: 90 }))
  .map(([letter, length]) => letter.repeat(length))
const texts = fc
  .array(fc.oneof(fc.constantFrom(...TEXTS), words), { maxLength: 4 })
  .map((all) => all.join(' '))
const twoTexts = fc.tuple(texts, texts)
const address = fc.constantFrom(...ADDRESSES)
const person = fc.record({ address, name: texts })
const mayBe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

/** With all that mails of this service can have. */
const mails = fc
  .record({
    from: person,
    to: person,
    replyTo: mayBe(person),
    subject: mayBe(texts),
    link: mayBe(texts),
    text: mayBe(twoTexts),
    html: twoTexts,
    bouncesOf: mayBe(address),
  })
  .map(
    ({ from, to, replyTo, subject, link, text, html, bouncesOf }) =>
      ({
        ...mail,
        // nodemailer counts a last line of spaces as text.
        dkim: undefined,
        from,
        to: [to],
        replyTo: replyTo && [replyTo],
        subject,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(subject === undefined && { Subject: { prepared: true, value: 'Prepared' } }),
          ...(link !== undefined && { 'List-Unsubscribe': `<https://acme.example/${link}>` }),
        },
        text: text?.join('\n'),
        html: `<p>${html[0]}</p>\n${html[1]}`,
        envelope: bouncesOf && { from: 'bounce@acme.example', to: [bouncesOf] },
      }) as SignableMail
  )

test.group('A mail as it is transmitted', () => {
  test('is what nodemailer makes of it, whatever it contains', async ({ assert }) => {
    const property = fc.asyncProperty(mails, async (fields) => {
      const expected = await streamed(fields)
      const { raw, envelope } = renderMail(fields)
      assert.equal(raw, expected.raw)
      assert.containSubset(envelope, { from: expected.envelope.from, to: expected.envelope.to })
    })
    await fc.assert(property, { numRuns: 500, seed: 27_11 })
  })

  test('is written without nodemailer if its addresses are usual', ({ assert }) => {
    const unsigned = { ...mail, dkim: undefined, text: 'Hello', html: '<p>Hello</p>' }
    assert.isNotNull(writeMail(unsigned))
    const accents = [{ address: 'ada@háček.example', name: 'Ada' }]
    assert.isNull(writeMail({ ...unsigned, to: accents }))
    assert.isNull(
      writeMail({ ...unsigned, cc: [{ address: 'grace@acme.example', name: 'Grace' }] })
    )
  })

  test('is what nodemailer makes of it, signature included: {$self}')
    .with(Object.keys(BODIES) as (keyof typeof BODIES)[])
    .run(async ({ assert }, name) => {
      for (const signed of [mail, { ...mail, dkim: undefined }]) {
        const fields: SignableMail = { ...signed, ...BODIES[name] }
        const expected = await streamed(fields)
        const { raw, envelope } = renderMail(fields)
        assert.equal(raw, expected.raw)
        assert.deepEqual(envelope, expected.envelope)
      }
    })

  // nodemailer signs them as one empty line.
  test('is signed as empty if it has only empty lines (RFC 6376, 3.4.4)', ({ assert }) => {
    const hashOfNothing = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    for (const text of ['\n', '\n\n\n', ' \n\t\n']) {
      const { raw } = renderMail({ ...mail, text })
      assert.include(raw.replaceAll(/\s/g, ''), `bh=${hashOfNothing}`)
    }
  })

  test('has no line breaks other than CRLF', ({ assert }) => {
    const lines = 'one\r.\rtwo\r\n.\r\nthree\n'
    for (const content of [lines, `${lines}${'x'.repeat(100)}`, `${lines}Příliš`]) {
      const { raw } = renderMail({ ...mail, text: content, html: content })
      assert.notMatch(raw, /\r(?!\n)|(?<!\r)\n/)
    }
    const usual = { ...mail, text: lines.replaceAll(/\r\n?|\n/g, '\r\n') }
    assert.equal(renderMail({ ...mail, text: lines }).raw, renderMail(usual).raw)
  })

  test('names the envelope that was given', ({ assert }) => {
    const envelope = { from: 'bounce@acme.example', to: ['ada@acme.example'] }
    assert.containSubset(renderMail({ ...mail, text: 'Hello', envelope }).envelope, envelope)
  })
})
