import fc from 'fast-check'
import { test } from '@japa/runner'
import Application from '#app/applications/models/application'
import Brand from '#app/platform/models/brand'
import { RenderedTooLarge } from '#app/notifications/exceptions'
import { composeFromVersion } from '#app/notifications/actions/compose_message'
import { compileVersion } from '#app/notifications/rendering/compile_version'
import { prepareBody } from '#app/notifications/rendering/prepare_body'

const application = new Application().merge({ code: 'shop', name: 'Shop & Sons' })
const brand = new Brand().merge({ slug: 'acme', name: 'Acme <Ltd>' })
const recipient = { email: 'ada@acme.example', name: 'Ada "A" Lovelace', brand }
const common = { application, recipient }

function compiled(subjectTemplate: string, bodyTemplate: string) {
  const fields = { subjectTemplate, bodyTemplate, locale: 'en', ...prepareBody(bodyTemplate) }
  return compileVersion(fields)
}

function rendered(subject: string, body: string, data: Record<string, unknown> = {}) {
  return composeFromVersion(compiled(subject, body), { ...common, data })
}

/** The body without the layout. */
const bodyOf = (body: string, data: Record<string, unknown> = {}) =>
  rendered('s', `<html><body>${body}</body></html>`, data).html.slice(12, -14)

const NASTY = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '`',
  '{{x}}',
  '</p>',
  '\r\n',
  '\n',
  '\u2028',
  '\u0000',
  ' ',
  '=',
  'a',
  'Bcc: x',
  'javascript:',
  '-->',
  '\u0085',
  'é',
  '😀',
]
const nastyText = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string()), { maxLength: 12 })
  .map((parts) => parts.join(''))

test.group('Rendering', () => {
  test('formats every kind of JSON value', ({ assert }) => {
    const values: [unknown, string][] = [
      ['text', 'text'],
      ['', ''],
      [0, '0'],
      [-1.5, '-1.5'],
      [1e21, '1e+21'],
      [true, 'true'],
      [false, 'false'],
      [null, ''],
      [undefined, ''],
      [{}, ''],
      [{ a: 1 }, ''],
      [[], ''],
      [['a'], ''],
    ]
    for (const [value, expected] of values) {
      const message = rendered('[{{x}}]', '<p>[{{x}}]</p>', { x: value })
      assert.equal(message.subject, `[${expected}]`)
      assert.include(message.html, `<p>[${expected}]</p>`)
      assert.equal(message.text, `[${expected}]`)
    }
  })

  test('reads dotted paths in objects and lists; missing values are empty', ({ assert }) => {
    const data = { order: { number: 7, items: [{ name: 'Cup' }] }, name: 'Ada' }
    assert.equal(bodyOf('{{order.number}}|{{order.items.0.name}}', data), '7|Cup')
    assert.equal(
      bodyOf('{{order.items.1.name}}|{{nothing}}|{{name.length}}|{{a.b.c}}', data),
      '|||'
    )
  })

  test('escapes values in the body, but not in subject and text', ({ assert }) => {
    const message = rendered('{{x}}', '<p title="{{x}}">{{x}}</p>', {
      x: `<b>"'&\`{{y}}</b>`,
      y: 'no',
    })
    const escaped = '&lt;b&gt;&quot;&#39;&amp;&#96;{{y}}&lt;/b&gt;'
    assert.equal(message.subject, `<b>"'&\`{{y}}</b>`)
    assert.equal(message.text, `<b>"'&\`{{y}}</b>`)
    assert.include(message.html, `<p title="${escaped}">${escaped}</p>`)
  })

  test('prefers service variables to the data', ({ assert }) => {
    const data = {
      appName: 'x',
      orgName: 'x',
      userName: { first: 'x' },
      userEmail: 'x',
      currentYear: 1,
    }
    const template = '{{appName}}|{{orgName}}|{{userName}}|{{userEmail}}|{{currentYear}}'
    const year = new Date().getUTCFullYear()
    assert.equal(
      rendered(template, 'x', data).subject,
      `Shop & Sons|Acme <Ltd>|Ada "A" Lovelace|ada@acme.example|${year}`
    )
    assert.equal(bodyOf('{{userName.first}}', data), '')
    assert.include(rendered('s', '<p>{{orgName}}</p>', data).html, '<p>Acme &lt;Ltd&gt;</p>')
  })

  test('allows only safe schemes in links', ({ assert }) => {
    const link = (url: unknown) =>
      bodyOf('<a href="{{url}}">x</a>', { url }).match(/href="(.*?)"/)![1]
    for (const url of [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      '\u0001javascript:alert(1)',
      'vbscript:x',
      'data:text/html,<script>',
      'file:///etc/passwd',
    ]) {
      assert.equal(link(url), '', url)
    }
    assert.equal(link('https://x.example/?a=1&b=2'), 'https://x.example/?a=1&amp;b=2')
    assert.equal(link('mailto:a@x.example'), 'mailto:a@x.example')
    assert.equal(link('/orders/7?at=10:30'), '/orders/7?at=10:30')
    assert.equal(link(7), '7')
  })

  test('leaves a link out of the text part if the body loses it', ({ assert }) => {
    const body = '<p>Go <a href="{{url}}">there</a> <a href="{{base}}/{{id}}">or here</a>!</p>'
    const text = (data: Record<string, unknown>) => rendered('s', body, data).text
    assert.equal(
      text({ url: 'https://x.example/1', base: 'https://y.example', id: 2 }),
      'Go there [https://x.example/1] or here [https://y.example/2]!'
    )
    for (const url of ['javascript:alert(1)', ' JaVa\nScRiPt:alert(1)', 'file:///etc/passwd', '']) {
      const unsafe = text({ url, base: url, id: 2 })
      assert.equal(unsafe, 'Go there or here [/2]!', url)
    }
    const spaced = rendered('s', '<a href=" {{url}}">x</a>', { url: 'javascript:alert(1)' })
    assert.notInclude(spaced.text, 'javascript')
    const parts = { a: 'java', b: 'cript:alert(1)' }
    assert.equal(rendered('s', '<a href="{{a}}s{{b}}">x</a>', parts).text, 'x [javas]')
  })

  test('keeps bracketed values of the text part that are no links', ({ assert }) => {
    const { text } = rendered('s', '<p>[{{note}}] <a href="{{url}}">x</a></p>', {
      note: 'Note: 7',
      url: 'https://x.example',
    })
    assert.equal(text, '[Note: 7] x [https://x.example]')
  })

  test('does not let two values form a scheme', ({ assert }) => {
    const html = bodyOf('<a href="{{a}}{{b}}">x</a>', { a: 'java', b: 'script:alert(1)' })
    assert.include(html, 'href="java"')
    assert.notInclude(
      bodyOf('<a href="&#9;{{a}}">x</a>', { a: 'javascript:alert(1)' }),
      'javascript'
    )
  })

  test('does not let a value in a style start another declaration', ({ assert }) => {
    const style = (c: string) => bodyOf('<p style="color: {{c}}">x</p>', { c })
    assert.include(style('#ff0000'), 'color: #ff0000')
    assert.include(
      style('red;background:url(https://x.example)'),
      '<p style="color: redbackgroundurl(httpsx.example)">'
    )
    assert.notInclude(style('red}</style>"<b>'), '<b>')
  })

  test('is not slowed down by 10,000 unused variables', ({ assert }) => {
    const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`v${n}`, n]))
    const template = compiled('{{v1}}', '<p>{{v9999}}</p>')
    const started = process.cpuUsage()
    for (let n = 0; n < 1_000; n++) composeFromVersion(template, { application, data, recipient })
    assert.isBelow(process.cpuUsage(started).user, 1_000 * 1_000)
    assert.equal(rendered('{{v1}}', '<p>{{v9999}}</p>', data).text, '9999')
  })

  test('limits the size of the result', ({ assert }) => {
    const bomb = compiled('s', `<p>${'{{x}}'.repeat(10_000)}</p>`)
    assert.throws(
      () => composeFromVersion(bomb, { application, data: { x: 'x'.repeat(100_000) }, recipient }),
      RenderedTooLarge
    )
  })

  test('keeps subjects on one line without control characters', ({ assert }) => {
    assert.equal(
      rendered('Hi {{x}}\n!', 'b', { x: 'a\r\nBcc: b\u0000\u001b\u2028c' }).subject,
      'Hi a Bcc: b c !'
    )
    assert.equal(rendered('  {{x}}  ', 'b', { x: '\n' }).subject, '')
  })

  test('never adds markup, header lines or control characters from values', ({ assert }) => {
    const template = compiled(
      'Hi {{x}}',
      '<html><body><p title="{{x}}">[{{x}}]</p><a href="{{x}}">y</a><i style="color:{{x}}">z</i></body></html>'
    )
    fc.assert(
      fc.property(nastyText, (x) => {
        const { subject, html } = composeFromVersion(template, {
          application,
          data: { x },
          recipient,
        })
        assert.notMatch(subject, /[\p{Cc}\u2028\u2029]/u)
        assert.match(
          html,
          /^<html><body><p title="[^"<>]*">\[[^<>"'`]*\]<\/p><a href="[^"<>]*">y<\/a><i style="[^"<>]*">z<\/i><\/body><\/html>$/
        )
        assert.notMatch(html, /href="\s*javascript/i)
        assert.notMatch(html, /&(?!(?:amp|lt|gt|quot|#39|#96);)/)
      }),
      { numRuns: 2_000 }
    )
  })

  test('reads no inherited properties and runs no getters', ({ assert }) => {
    const inherited = Object.create({ secret: 'leak', nested: { secret: 'leak' } })
    Object.defineProperty(inherited, 'getter', { get: () => 'leak', enumerable: true })
    inherited.call = () => 'leak'
    inherited.list = ['a']
    const path = fc.constantFrom(
      'secret',
      'nested.secret',
      'getter',
      'call',
      'call.name',
      'constructor',
      'constructor.name',
      '__proto__',
      '__proto__.secret',
      'toString',
      'toString.name',
      'hasOwnProperty',
      'prototype',
      'list.map',
      'list.constructor.name',
      'valueOf.name'
    )
    fc.assert(
      fc.property(path, (name) => {
        const message = rendered(`[{{${name}}}]`, `<p>[{{${name}}}]</p>`, inherited)
        assert.equal(message.subject, '[]')
        assert.equal(message.text, '[]')
      })
    )
  })

  test('reads an own property called __proto__ like any other', ({ assert }) => {
    const data = JSON.parse('{"__proto__": {"x": "own"}}')
    assert.equal(rendered('{{__proto__.x}}{{x}}', 'b', data).subject, 'own')
    assert.isUndefined((Object.prototype as unknown as Record<string, unknown>).x)
  })
})

test.group('The layout', () => {
  test('surrounds a body, with the language and the name of the brand', ({ assert }) => {
    const { html } = rendered('Hi <you>', '<p>Body</p>')
    assert.match(html, /^<!doctype html>\n<html lang="en" dir="ltr">/)
    assert.include(html, '<title>Hi &lt;you&gt;</title>')
    assert.include(html, 'Acme &lt;Ltd&gt;')
    assert.include(html, '<p>Body</p>')
  })

  test('uses the colours and logo of the brand if they are valid', ({ assert }) => {
    const html = (appearance: object) =>
      composeFromVersion(compiled('s', 'b'), {
        ...common,
        data: {},
        recipient: {
          ...recipient,
          brand: new Brand().merge({
            name: 'B',
            appearance: {
              primaryColor: null,
              backgroundColor: null,
              fontColor: null,
              logoUrl: null,
              iconUrl: null,
              ...appearance,
            },
          }),
        },
      }).html
    const plain = html({ primaryColor: '#abcdef', logoUrl: 'https://x.example/logo.png?a=1&b=2' })
    assert.include(plain, 'solid #abcdef')
    assert.include(plain, '<img src="https://x.example/logo.png?a=1&amp;b=2" alt="B"')
    const hostile = html({ primaryColor: 'red;"><script>', logoUrl: 'javascript:alert(1)' })
    assert.notInclude(hostile, 'script')
  })

  test('shows a link to unsubscribe in the language of the message', ({ assert }) => {
    const unsubscribeUrl = 'https://concierge.example/api/unsubscribe/a'
    for (const [locale, label] of [
      ['en', 'Unsubscribe'],
      ['en-gb', 'Unsubscribe'],
      ['cs', 'Odhlásit odběr'],
      ['de', 'Unsubscribe'],
      ['constructor', 'Unsubscribe'],
    ]) {
      const version = { ...compiled('s', '<p>Hi</p>'), locale }
      const mail = composeFromVersion(version, { ...common, data: {}, unsubscribeUrl })
      assert.match(mail.html, new RegExp(`<a href="${unsubscribeUrl}"[^>]*>${label}</a>`))
      assert.equal(mail.mailText, `Hi\n\n${label}: ${unsubscribeUrl}`)
      assert.equal(mail.text, 'Hi')
    }
  })

  test('shows the link in a colour that can be read whatever the colours of the brand', ({
    assert,
  }) => {
    const appearance = {
      primaryColor: '#fff',
      backgroundColor: '#4b5563',
      fontColor: '#fff',
      logoUrl: null,
      iconUrl: null,
    }
    const { html } = composeFromVersion(compiled('s', 'b'), {
      ...common,
      data: {},
      recipient: { ...recipient, brand: new Brand().merge({ name: 'B', appearance }) },
      unsubscribeUrl: 'https://concierge.example/u',
    })
    const [card] = /<td bgcolor="#ffffff"[\s\S]*?<\/td>/.exec(html)!
    const [, color] = /<a href="https:\/\/concierge.example\/u" style="color:(#\w{6})/.exec(card)!
    assert.isAbove(contrast(color, '#ffffff'), 4.5)
  })

  test('is not added to a complete document', ({ assert }) => {
    const { html } = rendered('s', '<!DOCTYPE html><html><body><p>Mine</p></body></html>')
    assert.equal(html, '<!DOCTYPE html><html><body><p>Mine</p></body></html>')
  })
})

/** The contrast ratio of two colours (WCAG 2.2). */
function contrast(one: string, other: string) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
