import { test } from '@japa/runner'
import { lintVersion } from '#app/notifications/linting/lint_version'
import { prepareTexts } from '#app/notifications/preparation/prepare_texts'
import type { TemplateVariable } from '#app/notifications/values/template_variable'

interface Linted {
  subject?: string
  body?: string
  variables?: TemplateVariable[]
}

function lint({ subject = 'Hello', body = '<p>Hello</p>', variables = [] }: Linted) {
  return lintVersion(prepareTexts({ subjectTemplate: subject, bodyTemplate: body }), { variables })
}

/** As lines such as `INSECURE_LINK bodyTemplate:2 http://a`. */
const summary = (linted: Linted) =>
  lint(linted).map(({ code, field, line, value }) => `${code} ${field}:${line} ${value}`)

test.group('Warnings about a template', () => {
  test('name unknown and unused variables once', ({ assert }) => {
    const variables = [
      { key: 'order', required: true },
      { key: 'customer.name', required: true },
      { key: 'note', required: true },
      { key: 'coupon', required: false },
      { key: 'appName', required: true },
    ]
    const found = summary({
      subject: '{{order.number}} {{numbr}} {{ numbr }}',
      body: '<p>{{customer.name}} {{userName}}</p>\n<p>{{customer.age}} {{numbr}} {{userName.x}}</p>',
      variables,
    })
    assert.deepEqual(found, [
      'UNKNOWN_VARIABLE subjectTemplate:1 numbr',
      'UNKNOWN_VARIABLE bodyTemplate:2 customer.age',
      'UNKNOWN_VARIABLE bodyTemplate:2 userName.x',
      'UNUSED_VARIABLE null:null note',
    ])
  })

  test('name texts that are hard to read')
    .with([
      ['<p style="color:#999">x</p>', '#999 on #ffffff (2.8:1)'],
      ['<p style="color: rgb(150, 150, 150)">x</p>', 'rgb(150, 150, 150) on #ffffff (2.9:1)'],
      ['<p style="COLOR:#767676;background:#EEE">x</p>', '#767676 on #eee (3.9:1)'],
      ['<p style="background-color:yellow;color:white !important">x</p>', 'white on yellow (1:1)'],
      ['<style>p{color:#aaa;background:#fff}</style><p>x</p>', '#aaa on #fff (2.3:1)'],
      ['<h1 style="color:#999">x</h1>', '#999 on #ffffff (2.8:1)'],
    ])
    .run(({ assert }, [body, value]) => {
      assert.deepEqual(summary({ body }), [`LOW_CONTRAST bodyTemplate:1 ${value}`])
    })

  test('accept texts that can be read, or whose background is not known')
    .with([
      '<p style="color:#767676">x</p>',
      '<h1 style="color:#888">x</h1>',
      '<p style="color:#888;font-size:24px">x</p>',
      '<td style="background:#000"><p style="color:#fff">x</p></td>',
      '<td bgcolor="#000000"><p style="color:#fff">x</p></td>',
      '<p style="border-color:#eee;background-color:#eee">x</p>',
      '<p style="color:{{colour}}">x</p>',
      '<p style="color:#00000080">x</p>',
      '<p style="color:var(--text)">x</p>',
      '<style>@media (prefers-color-scheme: dark) { p { color: #eee } }</style><p>x</p>',
    ])
    .run(({ assert }, body) => {
      const variables = [{ key: 'colour', required: false }]
      assert.deepEqual(lint({ body, variables }), [])
    })

  test('name links that are not safe or lead nowhere')
    .with([
      ['<a href="http://a.example/?x=1&amp;y=2">x</a>', 'INSECURE_LINK http://a.example/?x=1&y=2'],
      ["<a href=' HTTP://a.example'>x</a>", 'INSECURE_LINK HTTP://a.example'],
      ['<a href=http://a.example>x</a>', 'INSECURE_LINK http://a.example'],
      ['<a href="h&#116;tp://{{host}}">x</a>', 'INSECURE_LINK http://{{host}}'],
      ['<td background="http://a.example/x.png">x</td>', 'INSECURE_LINK http://a.example/x.png'],
      [
        '<p style="background: url( \'http://a.example/x\')">x</p>',
        'INSECURE_LINK http://a.example/x',
      ],
      [
        '<style>p{background:url(http://a.example/x)}</style><p>x</p>',
        'INSECURE_LINK http://a.example/x',
      ],
      [
        '<!--[if mso]><a href="http://a.example">x</a><![endif]-->x',
        'INSECURE_LINK http://a.example',
      ],
      ['<a href="/orders/{{number}}">x</a>', 'RELATIVE_LINK /orders/{{number}}'],
      ['<a href="www.a.example">x</a>', 'RELATIVE_LINK www.a.example'],
      ['<a href="//a.example">x</a>', 'RELATIVE_LINK //a.example'],
      [
        '<img alt="x" src="data:image/png;base64,AAAA">x',
        'EMBEDDED_IMAGE data:image/png;base64,AAAA',
      ],
    ])
    .run(({ assert }, [body, expected]) => {
      const variables = ['host', 'number'].map((key) => ({ key, required: false }))
      const found = lint({ body, variables }).map(({ code, value }) => `${code} ${value}`)
      assert.deepEqual(found, [expected])
    })

  test('leave out links that are fine or depend on a value')
    .with([
      '<a href="https://a.example">x</a>',
      '<a href="{{url}}">x</a>',
      '<a href="{{url}}/orders">x</a>',
      '<a href="#top">x</a>',
      '<a href="mailto:a@a.example">x</a>',
      '<a href="tel:+420123">x</a>',
      '<img src="cid:logo" alt="">x',
      '<p xmlns="http://www.w3.org/1999/xhtml">http://a.example</p>',
      '<!-- <a href="http://a.example"> --><p>x</p>',
    ])
    .run(({ assert }, body) => {
      assert.deepEqual(summary({ body, variables: [{ key: 'url', required: false }] }), [])
    })

  test('name images without an alternative text, with their lines', ({ assert }) => {
    const body = [
      '<p>Hello</p>',
      '<img src="https://a.example/1"><img alt src="https://a.example/2">',
      '<img src="https://a.example/3" alt=""><img src="https://a.example/4" alt="A cat">',
      '<IMG SRC="https://a.example/5" data-alt="x" />',
    ]
    assert.deepEqual(summary({ body: body.join('\n') }), [
      'IMAGE_WITHOUT_ALT bodyTemplate:2 null',
      'IMAGE_WITHOUT_ALT bodyTemplate:4 null',
    ])
  })

  test('name a body without text')
    .with([
      '<img src="https://a.example/x" alt="Sale">',
      '<p>&nbsp;&#8203;</p>',
      '<style>p{}</style>',
    ])
    .run(({ assert }, body) => {
      assert.deepEqual(summary({ body }), ['NO_TEXT_ALTERNATIVE bodyTemplate:null null'])
    })

  test('name a message of more than 100 KiB', ({ assert }) => {
    assert.deepEqual(summary({ body: 'ž'.repeat(51_200) }), [])
    const [{ code, detail }] = lint({ body: 'ž'.repeat(51_201) })
    assert.equal(code, 'MESSAGE_TOO_LARGE')
    assert.equal(
      detail,
      'The message is 101 KiB long. Some mail programs hide everything after 100 KiB'
    )
  })

  test('judge a rendered message by its own size and data', ({ assert }) => {
    const texts = prepareTexts({ subjectTemplate: 'Hello', bodyTemplate: '<p>{{note}}</p>' })
    const variables = [{ key: 'note', required: true }]
    const rendered = { html: 'x'.repeat(102_401), missing: ['note'] }
    const found = lintVersion(texts, { variables }, rendered)
    assert.deepEqual(
      found.map(({ code, value }) => [code, value]),
      [
        ['MISSING_VARIABLE', 'note'],
        ['MESSAGE_TOO_LARGE', null],
      ]
    )
  })

  test('are bounded in number and length', ({ assert }) => {
    const body = `<a href="/${'x'.repeat(5_000)}😀">x</a>${'<img src="x">{{unknown}}'.repeat(500)}`
    const found = lint({ body })
    const counts = Object.groupBy(found, ({ code }) => code)
    assert.lengthOf(counts.RELATIVE_LINK ?? [], 25)
    assert.lengthOf(counts.IMAGE_WITHOUT_ALT ?? [], 25)
    assert.lengthOf(counts.UNKNOWN_VARIABLE ?? [], 1)
    assert.isBelow(JSON.stringify(found).length, 20_000)
  })
})
