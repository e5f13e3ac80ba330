import fc from 'fast-check'
import { test } from '@japa/runner'
import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import { compileVersion } from '#app/notifications/rendering/compile_version'
import { findActiveContent } from '#app/notifications/rendering/active_content'
import { valueAt } from '#app/notifications/rendering/data_path'
import { htmlRegions } from '#app/notifications/rendering/html_regions'
import { prepareBody } from '#app/notifications/rendering/prepare_body'
import { render } from '#app/notifications/rendering/render'

function refusal(source: string): TemplateSyntax {
  try {
    prepareBody(source)
  } catch (error) {
    if (error instanceof TemplateSyntax) return error
    throw error
  }
  throw new Error(`accepted: ${source}`)
}

/** Renders a body with one value for all placeholders; null if the body is rejected. */
function renderer(bodyTemplate: string): ((value: string) => string) | null {
  try {
    const texts = { subjectTemplate: 's', bodyTemplate, locale: 'en' }
    const { html } = compileVersion({ ...texts, ...prepareBody(bodyTemplate) })
    return (value) => render(html, ({ path }) => valueAt({ x: value, y: value }, path))
  } catch (error) {
    if (error instanceof TemplateSyntax || error instanceof TemplateTooComplex) return null
    throw error
  }
}

const structureOf = (html: string) =>
  htmlRegions(html).map(({ kind, element, attribute }) => `${kind} ${element} ${attribute}`)

/** Values that an attacker could choose. */
const VALUES = [
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:x',
  'vbscript:x',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload=x>',
  '"><script>alert(1)</script>',
  "' onload='x",
  '--><script>',
  '--!><b>',
  ']]><b>',
  '</title><b>',
  '</style><script>',
  '<![endif]--><script>',
  '}b{color:red',
  'expression(alert(1))',
  '`',
  '&#58;',
]

/** No parser finds a tag in these. */
const PLAIN_TO_ALL = /^<(?:table|select)><(?:style>|!\[CDATA)/
const CLOSING = '</style></title></textarea>'

/** Content that some parsers read as text and others as tags. */
const HIDDEN_TAGS = [
  '<select><style>@media all{a{background:url("</select><img src=x onerror=alert(1)>")}}</style></select>',
  '<p><select><option><style>@media all{p::after{content:"<script>alert(1)</script>"}}</style></select>',
  '<select><style>@media all{a{b:"</select><b>"}}</style></select>',
  '<select><style>@media all{a{b:"<input>"}}</style></select>',
  '<table><tr><td><select><style>@media all{a{b:"</td><b>"}}</style></select></table>',
  '<!--[if mso]><select><style>@media all{a{b:"</select><b>"}}</style></select><![endif]-->',
  ...['svg', 'math', 'svg><desc', 'math><mi', 'svg><foreignObject', 'select', 'table']
    .flatMap((parent) => [
      `<${parent}><style><img src=x onerror=alert(1)></style>`,
      `<${parent}><title><img src=x onerror=alert(1)>${CLOSING}`,
      `<${parent}><textarea><img src=x onerror=alert(1)>${CLOSING}`,
      `<${parent}><noscript><style></noscript><img src=x onerror=alert(1)>`,
      `<${parent}><xmp><img src=x onerror=alert(1)></xmp>`,
      `<${parent}><noembed><img src=x onerror=alert(1)></noembed>`,
      `<${parent}><plaintext><img src=x onerror=alert(1)>`,
      `<${parent}><![CDATA[<img src=x onerror=alert(1)>]]>`,
      `<${parent}><!--><img src=x onerror=alert(1)>-->`,
    ])
    .filter((source) => !PLAIN_TO_ALL.test(source)),
]

test.group('Active content', () => {
  test('is rejected with its line when a body is saved: {$self}')
    .with([
      '<script>alert(1)</script>',
      '<SCRIPT src="https://x.example/a.js"></SCRIPT>',
      '<svg><animate attributeName="href" values="javascript:alert(1)"/></svg>',
      '<svg><a><set attributeName="href" to="javascript:alert(1)"/></a></svg>',
      '<animate attributeName="href" values="{{x}}">',
      '<set attributeName="href" to="{{x}}">',
      '<animateTransform attributeName="href" from="{{x}}">',
      '<math><a xlink:href="javascript:alert(1)">x</a></math>',
      '<iframe src="https://x.example"></iframe>',
      '<object data="https://x.example"></object>',
      '<embed src="https://x.example">',
      '<base href="https://x.example">',
      '<template><b>x</b></template>',
      '<noscript><b>x</b></noscript>',
      '<plaintext>',
      '<xmp><b>x</b></xmp>',
      '<frameset><frame src="https://x.example"></frameset>',
      '<meta http-equiv="refresh" content="0;url=https://x.example">',
      '<meta http-equiv=REFRESH content="0">',
      '<img src="x" onerror="alert(1)">',
      '<img src=x onerror=alert(1)>',
      '<body OnLoad="alert(1)">',
      '<b onfocus = "x" autofocus>',
      '<p srcdoc="x">',
      '<a href="javascript:alert(1)">x</a>',
      '<a href=javascript:alert(1)>x</a>',
      '<a href=" JAVA&#10;SCRIPT&colon;alert(1)">x</a>',
      '<a href="vbscript:x">x</a>',
      '<a href="data:text/html,<b>">x</a>',
      '<a xlink:href="javascript:alert(1)">x</a>',
      '<form action="javascript:alert(1)"><button>x</button></form>',
      '<button formaction="javascript:alert(1)">x</button>',
      '<img src="javascript:alert(1)">',
      '<table background="javascript:alert(1)">',
      '<p style="background:url(javascript:alert(1))">',
      '<p style="width:expression(alert(1))">',
      '<style>p{-moz-binding:url(x)}</style>',
      '<title><a href="x"></title>',
      '<textarea></p></textarea>',
      '<!--[if mso]><a href="javascript:alert(1)">x</a><![endif]-->',
      '<!--[if mso]><script>alert(1)</script><![endif]-->',
      '<![if !mso]><a href="javascript:alert(1)">x</a><![endif]>',
      '<!--><script>alert(1)</script>-->',
      '<!-- --!><script>alert(1)</script>-->',
      '<![CDATA[><script>alert(1)</script>]]>',
      '<p style="width:e\\78pression(alert(1))">',
      '<p style="width:exp/**/ression(alert(1))">',
      '<p style="width:exp/* x */ression/**/(alert(1))">',
      '<p style="width:e&#92;78 pression(alert(1))">',
      '<style>p{x:"/*";width:exp/**/ression(alert(1))}</style>',
      '<style>p{-moz-\\62inding:url(x)}</style>',
      '<style>p{behavior:url(x.htc)}</style>',
      '<style>p{behavior:url(#default#VML) url(x.htc)}</style>',
      '<p style="b\\65havior : url(x.htc)">',
      '<p style="background:url(java\\script:alert(1))">',
    ])
    .run(({ assert }, source) => {
      assert.equal(refusal(`<p>Hello\n\n${source}`).details.line, 3)
    })

  test('is rejected if only browsers parse it as a tag: {$self}')
    .with(HIDDEN_TAGS)
    .run(({ assert }, source) => {
      assert.equal(refusal(`<p>Hello\n\n${source}`).details.line, 3)
    })

  test('is rejected in a complete document if only browsers parse it as a tag: {$self}')
    .with(HIDDEN_TAGS)
    .run(({ assert }, source) => {
      refusal(`<!doctype html><html><body>${source}</body></html>`)
      refusal(`<html><body></body></html>${source}`)
      assert.include(refusal(`<html><head></head>${source}`).message, 'The body must not contain')
    })

  test('cannot be created by a placeholder: {$self}')
    .with([
      '<link rel="stylesheet" href="{{x}}">',
      '<a href="data:image/svg+xml,{{x}}">x</a>',
      '<!--[if mso]><v:rect href={{x}}><![endif]-->',
      '<!--[if mso]><a href="{{x}}:b">x</a><![endif]-->',
      '<!--[if mso {{x}}]><b>x</b><![endif]--><!x {{x}}>',
      '<!--[if mso]><p {{x}}>x<![endif]-->',
      '<!--><a {{x}}>-->',
    ])
    .run(({ assert }, source) => {
      assert.equal(refusal(`<p>Hello\n${source}`).details.line, 2)
    })

  test('is not found in ordinary mails: {$self}')
    .with([
      '<!doctype html><html><head><meta http-equiv="Content-Type" content="text/html"><title>{{x}}</title></head><body>x</body></html>',
      '<!--[if mso]><v:roundrect href="{{x}}" style="height:40px" fillcolor="#{{y}}"><center>{{x}}</center></v:roundrect><![endif]-->',
      '<!--[if !mso]><!--><a href="{{x}}">x</a><!--<![endif]-->',
      '<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->',
      '<form action="https://x.example"><input name="q" value="{{x}}"></form>',
      '<style><!-- p > b { color: red } --></style><p><b>x</b></p>',
      '<img src="data:image/png;base64,iVBORw0KGgo=" alt="{{x}}">',
      '<p style="scroll-behavior:smooth">{{x}}</p>',
      '<!--[if gte mso 9]><style>v\\:* { behavior: url(#default#VML); }</style><![endif]-->{{x}}',
      '<style>@media (max-width:600px){p::after{content:"\\201C <b>"}}</style><p>{{x}}</p>',
      '<select><option>{{x}}</option></select>',
      '<td>{{x}}</td></tr></table><b>{{x}}<p>{{x}}</b></p></br></p>',
      '<!-- a note: {{x}} <script> -->',
      '<a href="tel:+420123456789" title="javascript: the good parts">x</a>',
    ])
    .run(({ assert }, source) => {
      const rendered = renderer(source)
      assert.isNotNull(rendered)
      for (const value of VALUES) {
        assert.isNull(findActiveContent(rendered!(value)), value)
        assert.deepEqual(structureOf(rendered!(value)), structureOf(rendered!('x')), value)
      }
    })

  test('is not created by a value that makes a comment conditional: {$self}')
    .with(['<!--%<a href="{{y}}">z</a>-->', '<!-- [%<a href="{{y}}">z</a>-->', '<!--[i%-->'])
    .run(({ assert }, comment) => {
      const texts = {
        subjectTemplate: 's',
        bodyTemplate: comment.replace('%', '{{x}}'),
        locale: 'en',
      }
      const { html } = compileVersion({ ...texts, ...prepareBody(texts.bodyTemplate) })
      for (const x of ['[if mso]>', 'if mso]>', 'f mso]>']) {
        const values = { x, y: 'javascript:alert(1)' }
        assert.isNull(findActiveContent(render(html, ({ path }) => valueAt(values, path))))
      }
    })

  test('is never created by a value in any accepted body', ({ assert }) => {
    const fragment = fc.constantFrom(
      ...['{{x}}', '{{x}}', '{{y}}', '"', "'", '>', ' ', '=', '<p ', '<p>', '</p>', '<a href="'],
      ...['<a href="{{x}}">', '<a href={{x}}>', '<!--', '-->', '--!>', '<!-->', '<!--[if mso]>'],
      ...['<![endif]-->', '<![if !mso]>', '<title>', '</title>', '<style>p{color:', '}</style>'],
      ...[
        'style="',
        '<!x ',
        '<![CDATA[',
        ']]>',
        '<textarea>',
        '</textarea>',
        'title="',
        '<select>',
      ],
      ...[
        '<button formaction="',
        '<v:rect href="',
        'src="',
        '&#',
        'java',
        'script:',
        '#',
        '/',
        ':',
      ],
      ...['<td background="', "<area href='", '</a>', '<img srcset="', '<b/', '<animate values="']
    )
    let accepted = 0
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 14 }),
        fc.constantFrom(...VALUES),
        (parts, value) => {
          const body = parts.join('')
          const rendered = body.includes('{{') ? renderer(body) : null
          if (rendered === null) return
          accepted++
          const html = rendered(value)
          assert.isNull(findActiveContent(html), html)
          assert.deepEqual(structureOf(html), structureOf(rendered('x')), html)
        }
      ),
      { numRuns: 4_000, seed: 27 }
    )
    assert.isAbove(accepted, 500)
  })
})
