import fc from 'fast-check'
import { test } from '@japa/runner'
import { Problem } from '#core/exceptions/problem'
import Application from '#app/applications/models/application'
import Brand from '#app/platform/models/brand'
import { composeFromVersion } from '#app/notifications/actions/compose_message'
import { PreparationPool } from '#app/notifications/preparation/preparation_pool'
import { compileVersion } from '#app/notifications/rendering/compile_version'
import { cpuMs } from '#tests/helpers/cpu'

/** Input that is difficult for parsers of HTML, CSS and templates. */
const PIECES = [
  '<',
  '>',
  '"',
  "'",
  '=',
  '/',
  '!',
  '-',
  '&',
  '#',
  ';',
  ':',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '\\',
  ' ',
  '\n',
  '\t',
  '\u0000',
  '\u2028',
  'a',
  'İ',
  '😀',
  '`',
  '%',
  '*',
  '~',
  '+',
  ',',
  '.',
  '{{',
  '}}',
  '{{a}}',
  '{{ a.b }}',
  '{{{',
  '{ {',
  '{{a',
  'a}}',
  '{{#a}}',
  '{{#a}}',
  '{{^a}}',
  '{{/a}}',
  '{{/a}}',
  '<a ',
  '<a',
  '</a>',
  '<a href="',
  "<a href='",
  '<a x',
  '<p>',
  '<p ',
  '<b><i>',
  '</',
  '<br/>',
  '<!--',
  '-->',
  '--!>',
  '<!-->',
  '<!--[if mso]>',
  '<![endif]-->',
  '<![CDATA[',
  ']]>',
  '<!x',
  '<style>',
  '</style>',
  '<style',
  '</sty',
  '<title>',
  '</title',
  '<textarea>',
  '<plaintext>',
  '<select><option>',
  '</select>',
  '<b id=1>',
  '<a><p>',
  '<svg>',
  '</table>',
  '</style>',
  '<option>',
  '<table><tr><td>',
  '<ul><li>',
  '<div>',
  '<h1>',
  '<blockquote>',
  '<pre>',
  '<select>',
  '<img ',
  'b~i',
  'b>i',
  'b i',
  'p{color:red}',
  '*{',
  '@media{',
  '@import "',
  '/*',
  '*/',
  ':not(',
  '!important',
  'href=',
  'href="',
  'style="',
  "style='",
  'on',
  'javascript:',
  'data:',
  'http://',
  '&amp;',
  '&#',
]

const piece = fc.constantFrom(...PIECES)
/** Text of any length: a beginning and a repeated part. */
const growing = fc
  .tuple(
    fc.array(piece, { maxLength: 4 }),
    fc.array(piece, { minLength: 1, maxLength: 4 }),
    fc.array(piece, { maxLength: 4 })
  )
  .map(([head, unit, tail]) => {
    const [start, repeated, end] = [head, unit, tail].map((parts) => parts.join(''))
    const text = (length: number) => start + repeated.repeat(length / repeated.length) + end
    return { text, name: `${start}|${repeated}|${end}` }
  })

/** Small sizes first, so that superlinear cost fails early. */
const SIZES = [2_000, 16_000, 128_000, 500_000]
/** Generous: the usual time is some hundredths of a microsecond per character. */
const boundMs = (length: number) => 50 + length * 0.003

const recipient = {
  email: 'ada@acme.example',
  name: 'Ada',
  brand: new Brand().merge({ slug: 'acme', name: 'Acme' }),
}
const application = new Application().merge({ code: 'shop', name: 'Shop' })

function compileAndRender(
  texts: { subjectTemplate: string; inlinedBody: string; textTemplate: string },
  data: Record<string, unknown>
) {
  try {
    composeFromVersion(compileVersion({ ...texts, locale: 'en' }), { application, data, recipient })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

test.group('The cost of templates', (group) => {
  group.each.timeout(300_000)

  test('compiling and rendering take linear time in the size of the template', ({ assert }) => {
    fc.assert(
      fc.property(growing, ({ text, name }) => {
        for (const size of SIZES) {
          const source = text(size)
          for (const texts of [
            { subjectTemplate: source, inlinedBody: '', textTemplate: '' },
            { subjectTemplate: '', inlinedBody: source, textTemplate: '' },
          ]) {
            const ms = cpuMs(() => compileAndRender(texts, { a: source }))
            assert.isBelow(ms, boundMs(source.length), `${name} at ${size}`)
          }
        }
      }),
      { numRuns: 150, seed: 14_11 }
    )
  })

  test('rendering takes linear time in the size of the data', ({ assert }) => {
    const places = [
      '{{a}}',
      '<p title="{{a}}">',
      '<a href="{{a}}">',
      '<a href="{{a}}{{b}}">',
      '<title>{{a}}</title>',
      '<p style="color:{{a}}">',
      '<style>p{color:{{a}}}</style>',
      '<!--[if mso]>{{a}}<![endif]-->',
    ]
    const texts = {
      subjectTemplate: '{{a}} {{b}}',
      inlinedBody: places.join('').repeat(20),
      textTemplate: '{{a}}{{b}}'.repeat(20),
    }
    fc.assert(
      fc.property(growing, growing, (one, other) => {
        for (const size of SIZES) {
          const data = { a: one.text(size), b: other.text(size) }
          const ms = cpuMs(() => compileAndRender(texts, data))
          assert.isBelow(ms, boundMs(2 * size), `${one.name} and ${other.name} at ${size}`)
        }
      }),
      { numRuns: 100, seed: 14_11 }
    )
  })

  test('preparation ends in time and does not block the process', async ({ assert, cleanup }) => {
    const computeMs = 300
    const pool = new PreparationPool({
      threads: 1,
      maxWaiting: 1,
      maxWaitingPerAuthor: 1,
      limits: { computeMs, elapsedMs: 5_000, memoryMiB: 64 },
    })
    cleanup(() => pool.stop())
    const prepare = (bodyTemplate: string) =>
      pool.prepare({ subjectTemplate: 'Hello', bodyTemplate }, 'ada').catch((error) => {
        if (!(error instanceof Problem)) throw error
        return error.kind.code
      })
    await prepare('<p>warm</p>')
    const style = growing.map(({ text, name }) => ({
      text: (size: number) => `<style>${text(size / 2)}</style>${'<i>x</i>'.repeat(size / 16)}`,
      name: `styles of ${name}`,
    }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(growing, style), async ({ text, name }) => {
        for (const size of [4_000, 60_000]) {
          const source = text(size)
          const before = { own: process.threadCpuUsage(), all: process.cpuUsage() }
          const result = await prepare(source)
          const own = process.threadCpuUsage(before.own).user / 1_000
          const all = process.cpuUsage(before.all).user / 1_000
          assert.isBelow(own, boundMs(source.length), `${name} at ${size}`)
          // The next one may need a new thread.
          assert.isBelow(all, 10 * computeMs + boundMs(source.length), `${name} at ${size}`)
          if (typeof result === 'string') assert.match(result, /^TEMPLATE_/, name)
        }
      }),
      { numRuns: 40, seed: 14_11 }
    )
  })
})
