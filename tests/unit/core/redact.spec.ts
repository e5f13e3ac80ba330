import { test } from '@japa/runner'
import mimeFunctions from 'nodemailer/lib/mime-funcs/index.js'
import quotedPrintable from 'nodemailer/lib/qp/index.js'
import { cutSecret, redactSecrets } from '#core/values/redact'

const SECRET = `a/b+c "d" <é>&'=😀`

const FORMS: Record<string, string> = {
  'as it is': SECRET,
  'in capitals': SECRET.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  'for URLs': encodeURIComponent(SECRET),
  'for URLs in lower case': encodeURIComponent(SECRET).replace(/%[\dA-F]{2}/g, (byte) =>
    byte.toLowerCase()
  ),
  'as a form': new URLSearchParams({ s: SECRET }).toString().slice(2),
  'as a whole URL': encodeURI(SECRET),
  'for HTML': SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  'for HTML by numbers': SECRET.replaceAll('&', '&#38;').replaceAll("'", '&#x27;'),
  'for JSON': JSON.stringify(SECRET).slice(1, -1),
  'for JSON in HTML': JSON.stringify(SECRET).slice(1, -1).replaceAll('<', '\\u003C'),
  'for JSON in ASCII': JSON.stringify(SECRET)
    .slice(1, -1)
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/'),
  'as base64': Buffer.from(SECRET).toString('base64'),
  'as base64 for URLs': Buffer.from(SECRET).toString('base64url'),
}

const LONG_SECRET = 'tajné=heslo_9 & "s3cret" <Žluťoučký kůň>'

/** How mails write a text. */
const MAIL_LINES: Record<string, (before: string) => string> = {
  'the body': (before) => quotedPrintable.wrap(quotedPrintable.encode(`${before}${LONG_SECRET}`)),
  'the HTML': (before) =>
    quotedPrintable.wrap(
      quotedPrintable.encode(
        `${before}${LONG_SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}`
      )
    ),
  'a link': (before) =>
    quotedPrintable.wrap(quotedPrintable.encode(`${before}?a=${encodeURIComponent(LONG_SECRET)}`)),
  'a base64 body': (before) =>
    mimeFunctions.foldLines(
      Buffer.from(`${before}${LONG_SECRET}`).toString('base64').replace(/.{76}/g, '$&\r\n')
    ),
  'the subject': (before) => mimeFunctions.encodeWords(`${before} ${LONG_SECRET}`, 'Q', 52),
  'a subject in base64': (before) => mimeFunctions.encodeWords(`${before} ${LONG_SECRET}`, 'B', 52),
}

test.group('Redaction of secrets', () => {
  for (const [title, form] of Object.entries(FORMS)) {
    test(`finds them ${title}`, ({ assert }) => {
      assert.equal(redactSecrets(`550 refused ${form}, sorry`, [SECRET]), '550 refused …, sorry')
    })
  }

  test('finds them within longer base64', ({ assert }) => {
    const code = '482915037'
    for (const before of ['', 'x', 'xx', 'xxx']) {
      const body = Buffer.from(`${before}${code} is your code`).toString('base64')
      const rest = redactSecrets(body, [code])
      const decoded = Buffer.from(rest.replace('…', 'AAAA'), 'base64').toString()
      assert.include(rest, '…')
      assert.notMatch(decoded, /[0-9]{3}/)
    }
  })

  for (const [title, lines] of Object.entries(MAIL_LINES)) {
    test(`finds them in ${title} of a mail, wherever its lines break`, ({ assert }) => {
      for (let length = 0; length < 80; length++) {
        for (const lineBreak of ['\r\n', '\n550-', '\r\n550 5.7.1 ']) {
          const text = lines('x'.repeat(length)).replaceAll('\r\n', lineBreak)
          const rest = redactSecrets(text, [LONG_SECRET, encodeURIComponent(LONG_SECRET)])
          assert.include(rest, '…', text)
          assert.notMatch(rest, /s3cret|heslo|czNjcmV0|aGVzbG/, text)
        }
      }
    })
  }

  test('finds them in a reply that breaks a line within them', ({ assert }) => {
    for (let at = 1; at < SECRET.length; at++) {
      const text = `550-5.7.1 ${SECRET.slice(0, at)}\r\n550 5.7.1 ${SECRET.slice(at)}, sorry`
      assert.equal(redactSecrets(text, [SECRET]), '550-5.7.1 …, sorry')
    }
  })

  test('finds them whatever stands before a soft line break', ({ assert }) => {
    for (const secret of ['Ab?=9tv5iu', 'who?éa', 'https://id.example/reset?token=x1y2', 'a=3Db']) {
      for (let length = 0; length < 80; length++) {
        const body = quotedPrintable.encode(`${'x'.repeat(length)}${secret}`)
        const rest = redactSecrets(quotedPrintable.wrap(body), [secret])
        assert.match(rest, /^x*(?:=\r\n)?x*…$/, body)
      }
      const asBytes = Buffer.from(`550 refused ${secret}`).toString('latin1')
      assert.equal(redactSecrets(asBytes, [secret]), '550 refused …')
    }
  })

  test('finds them in several lines, or with other white space', ({ assert }) => {
    const secret = 'correct horse\r\nbattery  staple'
    for (const quoted of [
      '550-correct horse\r\n550 battery  staple',
      '550-correct horse\n550-5.7.1 battery\n550 5.7.1 staple',
      '550 correct horse battery staple',
      '550 correct=20horse=0D=0Abattery=20=20staple',
      `550 ${encodeURIComponent(secret)}`,
      'correct horse%0D%0A%20battery staple',
    ]) {
      assert.notMatch(redactSecrets(quoted, [secret]), /correct|horse|battery|staple/, quoted)
    }
  })

  test('finds them in shorter texts, with less white space', ({ assert }) => {
    const secret = `correct${' '.repeat(500)}horse`
    assert.equal(redactSecrets('550 no correct horse here', [secret]), '550 no … here')
  })

  test('removes a link together with its code', ({ assert }) => {
    const secrets = ['4711', 'https://id.example/?code=4711&user=1']
    const text = 'refused: https://id.example/?code=4711&amp;user=1 (4711)'
    assert.equal(redactSecrets(text, secrets), 'refused: … (…)')
  })

  test('leaves other words alone, whatever characters a secret has', ({ assert }) => {
    const text = 'Mailbox (x) is full [4.2.2] $& 100%'
    assert.equal(redactSecrets(text, ['', '.*', '(y)', '[a-z]+', '$$', '4711', '%2']), text)
  })

  test('takes no longer for many long secrets', ({ assert }) => {
    const text = 'a'.repeat(1_000)
    const secrets = Array.from({ length: 200 }, (_, index) => `${'a'.repeat(900)}${index}`)
    const startedAt = performance.now()
    redactSecrets(text, [...secrets, 'b'.repeat(1_000_000)])
    assert.isBelow(performance.now() - startedAt, 1_000)
  })
})

test.group('The beginning of a secret that a text ends with', () => {
  test('is the longest one', ({ assert }) => {
    const found = {
      'code 4711-08': '4711-08',
      'code 4711-0815': '4711-0815',
      'code 4711-47': '47',
      '4711-4711-0': '4711-0',
      '11-0815': '',
      '4711-0816': '',
      '47': '47',
      '': '',
    }
    for (const [text, part] of Object.entries(found)) {
      assert.equal(cutSecret(text, '4711-0815'), part, text)
    }
    assert.equal(cutSecret('aaab aaa', 'aaaab'), 'aaa')
    assert.equal(cutSecret('abababa', 'ababab'), 'ababa')
    assert.equal(cutSecret('any text', ''), '')
  })
})
