import fc from 'fast-check'
import { test } from '@japa/runner'
import Application from '#app/applications/models/application'
import Brand from '#app/platform/models/brand'
import { RenderedTooLarge, TemplateSyntax } from '#app/notifications/exceptions'
import { composeFromVersion } from '#app/notifications/actions/compose_message'
import { compileVersion } from '#app/notifications/rendering/compile_version'
import { prepareTexts } from '#app/notifications/preparation/prepare_texts'
import {
  MAX_RENDERED_LENGTH,
  render,
  type Lookup,
  type Segment,
} from '#app/notifications/rendering/render'
import { htmlRegions } from '#app/notifications/rendering/html_regions'
import { valueAt } from '#app/notifications/rendering/data_path'
import { prepareBody } from '#app/notifications/rendering/prepare_body'

const application = new Application().merge({ code: 'shop', name: 'Shop' })
const brand = new Brand().merge({ slug: 'acme', name: 'Acme' })
const recipient = { email: 'ada@acme.example', name: 'Ada', brand }

function rendered(body: string, data: Record<string, unknown>, sensitive: string[] = []) {
  const subjectTemplate = '{{#items}}{{subject}}, {{/items}}'
  const document = `<html><body>${body}</body></html>`
  const texts = { subjectTemplate, bodyTemplate: document, ...prepareBody(document) }
  const version = compileVersion({ ...texts, locale: 'en' })
  const message = composeFromVersion(version, { application, recipient, data, sensitive })
  const fragment = render(version.fragment()!, ({ path }) => valueAt(data, path))
  return { ...message, fragment }
}

const bodyOf = (body: string, data: Record<string, unknown> = {}) =>
  rendered(body, data).html.slice(12, -14)

const LIST =
  '<table>{{#items}}<tr><td><a href="{{url}}">{{subject}}</a></td></tr>{{/items}}</table>'

test.group('Sections', () => {
  test('repeat for each item of a list, whose fields hide those around it', ({ assert }) => {
    const items = [{ subject: 'A <1>', url: 'https://a.example' }, { subject: 'B' }]
    const data = { items, url: 'https://all.example' }
    const { html, text, subject, fragment } = rendered(LIST, data)
    const row = (url: string, label: string) => `<tr><td><a href="${url}">${label}</a></td></tr>`
    const rows = row('https://a.example', 'A &lt;1&gt;') + row('https://all.example', 'B')
    assert.equal(html, `<html><body><table>${rows}</table></body></html>`)
    assert.equal(subject, 'A <1>, B,')
    assert.match(text, /^A <1> \[https:\/\/a\.example\]\s+B \[https:\/\/all\.example\]$/)
    assert.equal(fragment!.match(/<tr>/g)!.length, 2)
  })

  test('are left out without a value, and inverted ones shown', ({ assert }) => {
    const body = '{{#more}}and {{more}} more{{/more}}{{^more}}that is all{{/more}}'
    for (const more of [undefined, null, false, '', 0, []]) {
      assert.equal(bodyOf(body, { more }), 'that is all')
    }
    assert.equal(bodyOf(body, { more: 3 }), 'and 3 more')
    assert.equal(bodyOf('{{#a}}{{b}} {{userName}}{{/a}}', { a: { b: 1, userName: 'X' } }), '1 Ada')
    assert.equal(bodyOf('{{#a.b}}{{c}}{{/a.b}}', { a: { b: [{ c: 1 }, { c: 2 }] } }), '12')
  })

  test('show values of sensitive items in the message only', ({ assert }) => {
    const data = { items: [{ subject: 'Your code 123456' }] }
    const message = rendered('{{#items}}{{subject}}{{/items}}', data, ['items'])
    assert.include(message.html, '123456')
    assert.notInclude(message.recordedSubject, '123456')
  })

  test('are refused where they could change the HTML around them: {$self}')
    .with([
      '<p {{#a}}title="x"{{/a}}>x</p>',
      '<p title="{{#a}}x{{/a}}">x</p>',
      '<p title="{{#a}}">{{/a}}x</p>',
      '<{{#a}}b{{/a}}>',
      '</{{#a}}b{{/a}}>',
      '{{#a}}<{{/a}}b>',
      '<style>{{#a}}p{}{{/a}}</style>',
      '{{#a}}<style>{{/a}}</style>',
      '<title>{{#a}}x{{/a}}</title>',
      '{{#a}}<!-- {{/a}}<b title={{url}}> -->',
      '<!-- {{#a}} -->x<!-- {{/a}} -->',
      '<a href="https://x.example/{{#a}}b{{/a}}">x</a>',
    ])
    .run(({ assert }, body) => {
      assert.throws(() => prepareBody(body), TemplateSyntax)
    })

  test('leave HTML around them as it is, however often they are repeated', ({ assert }) => {
    const piece = fc.constantFrom(
      ...['{{#a}}', '{{#a}}', '{{/a}}', '{{/a}}', '<', '</', '<p>', '</p>', '<b title="', '">'],
      ...['<!--', '-->', '<!-', '<style>', '</style>', ' x=', 'b', '&', '!', '<a href="', '[']
    )
    const kindAtEnd = (html: string) => {
      const at = html.lastIndexOf('END')
      return htmlRegions(html).find(({ start, end }) => start <= at && at < end)?.kind ?? 'text'
    }
    let accepted = 0
    const anything = fc.array(piece, { minLength: 3, maxLength: 10 })
    fc.assert(
      fc.property(anything, (parts) => {
        const version = readOrNull(`${parts.join('')}END`)
        if (version === null) return
        accepted++
        const kinds = [0, 1, 3].map((count) => {
          const data = { a: Array.from({ length: count }, () => ({})) }
          return kindAtEnd(render(version.html, ({ path }) => valueAt(data, path)))
        })
        assert.lengthOf(new Set(kinds), 1)
      }),
      { numRuns: 3_000 }
    )
    assert.isAbove(accepted, 10)
  })

  test('read only a limited number of characters that leave nothing: {$self}')
    .with([
      '{{#items}}{{long}}{{/items}}',
      '{{#items}}<a href="{{link}}">x</a>{{/items}}',
      '{{#items}}<b style="{{css}}">x</b>{{/items}}',
      '{{#items}}{{^none}}{{#long}}{{long}}{{/long}}{{/none}}{{/items}}',
      '{{#few}}{{#few}}{{long}}{{/few}}{{/few}}',
    ])
    .run(({ assert }, body) => {
      const length = 8_000
      const values = { long: '\u0001', link: 'x:', css: '{}' }
      const data = Object.entries(values).map(([name, text]) => [name, text.repeat(length)])
      const few = Array.from({ length: 17 }, () => ({}))
      const items = Array.from({ length: 300 }, () => ({}))
      const { html } = compiled(body)
      const all = { ...Object.fromEntries(data), few, items }
      const lookup: Lookup = ({ path }) => valueAt(all, path)
      const counted = countingEscapes(html)
      assert.throws(() => render(counted.segments, lookup), RenderedTooLarge)
      assert.isBelow(counted.characters(), 2 * MAX_RENDERED_LENGTH + 1)
    })

  test('look up only a limited number of names', ({ assert }) => {
    const path = Array.from({ length: 126 }, () => 'a').join('.')
    const placeholders = Array.from({ length: 8 }, (_, index) => `{{b${index}}}`).join('')
    const wrapped = [path, path, path].reduce(
      (inner, name) => `{{#${name}}}${inner}{{/${name}}}`,
      `{{#items}}${placeholders}{{/items}}`
    )
    const items = Array.from({ length: 9_000 }, () => ({}))
    let data: Record<string, unknown> = { items }
    for (let depth = 0; depth < 3 * 126; depth++) data = { a: data }
    let names = 0
    const lookup: Lookup = ({ path: wanted }) => {
      names += wanted.length
      return valueAt(data, wanted)
    }
    assert.throws(() => render(compiled(wrapped).html, lookup), RenderedTooLarge)
    assert.isBelow(names, 1_000_001)
  })

  test('do not take more time or memory than any message', ({ assert }) => {
    const items = Array.from({ length: 200 }, () => ({}))
    const nested = '{{#items}}{{#items}}{{#items}}{{/items}}{{/items}}{{/items}}'
    assert.throws(() => bodyOf(nested, { items }), RenderedTooLarge)
    const long = Array.from({ length: 9_000 }, () => ({ text: 'x'.repeat(200) }))
    assert.throws(() => bodyOf('{{#long}}{{text}}{{/long}}', { long }), RenderedTooLarge)
    const many = Array.from({ length: 200 }, (_, index) => `{{a${index}}}`).join('')
    assert.throws(
      () => bodyOf(`{{#items}}${many}{{/items}}`, { items: Array(600).fill({}) }),
      RenderedTooLarge
    )
    const started = process.cpuUsage()
    assert.throws(() => prepareBody('{{#a}}{{/a}}'.repeat(5_400) + '{{/a}}'), TemplateSyntax)
    prepareBody('{{#a}}{{/a}}'.repeat(5_400))
    assert.isBelow(process.cpuUsage(started).user, 2_000_000)
  })
})

const compiled = (bodyTemplate: string) =>
  compileVersion({ ...prepareTexts({ subjectTemplate: 'x', bodyTemplate }), locale: 'en' })

/** The same segments, and how many characters their slots have escaped. */
function countingEscapes(all: Segment[]) {
  let characters = 0
  const counting = (segment: Segment): Segment => {
    if (typeof segment === 'string') return segment
    if ('segments' in segment) return { ...segment, segments: segment.segments.map(counting) }
    const escape = (text: string) => {
      characters += text.length
      return segment.escape(text)
    }
    return { ...segment, escape }
  }
  return { segments: all.map(counting), characters: () => characters }
}

function readOrNull(bodyTemplate: string) {
  try {
    return compiled(bodyTemplate)
  } catch (error) {
    if (error instanceof TemplateSyntax) return null
    throw error
  }
}
