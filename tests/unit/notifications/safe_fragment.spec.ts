import { test } from '@japa/runner'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5'
import { compileVersion } from '#app/notifications/rendering/compile_version'
import { render } from '#app/notifications/rendering/render'
import { safeFragment } from '#app/notifications/rendering/safe_fragment'
import { valueAt } from '#app/notifications/rendering/data_path'

const ATTRIBUTES: Record<string, string[]> = {
  a: ['href', 'title', 'target', 'rel'],
  img: ['src', 'alt', 'width', 'height', 'loading', 'referrerpolicy'],
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
}
const ELEMENTS = new Set(
  `p div h1 h2 h3 h4 h5 h6 blockquote pre hr ul ol li dl dt dd a b i u s em strong small sub sup
   code kbd span br img table caption thead tbody tfoot tr th td`.split(/\s+/)
)
/** Others would be of the origin of the page, even `https:/path`. Without a value it is empty. */
const ADDRESSES: Record<string, RegExp> = {
  href: /^(?:https?:\/\/|mailto:|tel:|sms:|about:invalid|$)/i,
  src: /^(?:https:\/\/|about:invalid|$)/i,
}

/** What a browser would see that must not be there. */
function dangersIn(html: string): string[] {
  const dangers: string[] = []
  const nodes: DefaultTreeAdapterTypes.Node[] = [...parseFragment(html).childNodes]
  while (nodes.length > 0) {
    const node = nodes.pop()!
    if ('childNodes' in node) nodes.push(...node.childNodes)
    if (!defaultTreeAdapter.isElementNode(node)) continue
    const { tagName, attrs } = node
    if (!ELEMENTS.has(tagName)) dangers.push(`<${tagName}>`)
    for (const { name, value } of attrs) {
      if (!ATTRIBUTES[tagName]?.includes(name)) dangers.push(`${tagName} ${name}`)
      if (name in ADDRESSES && !ADDRESSES[name].test(value)) dangers.push(`${name}=${value}`)
    }
  }
  return dangers
}

const HOSTILE = [
  '<script>alert(1)</script><SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)><p onclick="alert(1)">x</p>',
  '<a href="javascript:alert(1)">x</a><a href=" jav&#x09;ascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a><img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<div style="position:fixed;inset:0;z-index:9999;background:url(https://evil.example)">covers</div>',
  '<style>*{display:none}</style><link rel="stylesheet" href="https://evil.example/x.css">',
  '<form action="https://evil.example"><input name="password"><button formaction="//x">go</button><select><option>x</select><textarea>y</textarea></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example">',
  '<svg><a xlink:href="javascript:alert(1)"><animate attributeName="href" values="javascript:alert(1)"/></a><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data="x"></object><embed src="x">',
  '<template><img src=x onerror=alert(1)></template><xmp><img src=x onerror=alert(1)></xmp>',
  '<p id="top" class="modal" name="body" slot="x" is="evil-element">x</p><evil-element>x</evil-element>',
  '<!--[if mso]><script>alert(1)</script><![endif]--><!--><img src=x onerror=alert(1)>-->',
  '<a href="//evil.example">x</a><img src="//evil.example/x.png"><img srcset="https://evil.example/x 2x">',
  '<img src="/logout"><a href="/logout">x</a><img src="?logout"><a href="#top">x</a><a href="">x</a>',
  '<img src="https:/logout"><img src="https:logout"><a href="ht tps:/../logout">x</a><img src=" https:\\logout">',
  '<img src="\u00A0https://a.example/x"><img src="http://a.example/x.png"><a href="ht\ntp:/logout">x</a>',
  '<title><img src=x onerror=alert(1)></title><plaintext><img src=x onerror=alert(1)>',
  '<select><style></select><img src=x onerror=alert(1)></style>',
  `${'<div>'.repeat(5_000)}deep`,
]

const ADDRESSES_OF_THE_PAGE = [
  'javascript:alert(1)',
  '//evil.example',
  '/logout',
  'https:/logout',
  'https:',
  'ht tps://x',
  'http://shop.example',
  '',
  ' ',
  '\u00A0/logout',
  'x:',
  'mailto:x@shop.example',
]

const bodyOf = (body: string, data: Record<string, unknown> = {}) => {
  const texts = { locale: 'en', subjectTemplate: '', inlinedBody: body, textTemplate: '' }
  const fragment = compileVersion(texts).fragment()
  return fragment && render(fragment, ({ path }) => valueAt(data, path))
}

test.group('A safe fragment', () => {
  test('has nothing of a hostile template: {$i}')
    .with(HOSTILE)
    .run(({ assert }, html) => {
      const safe = safeFragment(html)
      assert.deepEqual(dangersIn(safe), [])
      assert.equal(safeFragment(safe), safe)
    })

  test('has nothing of hostile data', ({ assert }) => {
    const body =
      '<p>{{x}}</p><a href="{{x}}" title="{{x}}">{{x}}</a><a href="https://a.example/{{x}}">y</a><img src="{{x}}" alt="{{x}}"><td colspan="{{x}}">z</td><img src="{{x}}/logout"><a href="{{x}}{{x}}">y</a><img src="https:{{x}}">'
    const values = ['"><script>alert(1)</script>', "' onload='alert(1)", '{{x}}', '&#123;&#123;x}}']
    for (const x of [...HOSTILE.slice(0, -1), ...values, ...ADDRESSES_OF_THE_PAGE]) {
      assert.deepEqual(dangersIn(bodyOf(body, { x })!), [], x)
    }
  })

  test('has no table with millions of places', ({ assert }) => {
    const cell = '<td colspan="100" rowspan="50">x</td>'
    const safe = safeFragment(`<table><tr>${cell.repeat(5)}<td colspan="2">y</td></tr></table>`)
    assert.equal(
      safe,
      `<table><tr>${cell.repeat(2)}${'<td>x</td>'.repeat(3)}<td>y</td></tr></table>`
    )
    for (const spans of ['colspan="{{x}}"', 'colspan="{{x}}" rowspan="2"', 'rowspan="-1"']) {
      assert.equal(safeFragment(`<td ${spans}>z</td>`), '<td>z</td>')
    }
    const largest = '<td colspan="1000000" rowspan="1e9">x</td>'
    assert.equal(safeFragment(largest), '<td>x</td>')
  })

  test('keeps structure, links, pictures and values', ({ assert }) => {
    const body = `<html><head><title>Mail</title><style>p{}</style></head><body>
      <div class="preheader">Hidden beginning</div><p style="display:none">Hidden</p>
      <h1 style="color:red">Order {{id}}</h1><p>Hello <b>{{name}}</b>,<br>it&nbsp;left &lt;today&gt;.</p>
      <ul><li>One</li></ul><table><tr><td colspan="2">{{name}}</td></tr></table>
      <a href="{{url}}">Track</a><img src="https://shop.example/x.png" alt="Box"></body></html>`
    const html = bodyOf(body, { id: 7, name: 'Ada & <Bob>', url: 'https://shop.example/7' })
    assert.equal(
      html!.replace(/\s*\n\s*/g, '\n'),
      `<h1>Order 7</h1><p>Hello <b>Ada &amp; &lt;Bob&gt;</b>,<br />it\u00A0left &lt;today&gt;.</p>
<ul><li>One</li></ul><table><tr><td colspan="2">Ada &amp; &lt;Bob&gt;</td></tr></table>
<a href="https://shop.example/7" target="_blank" rel="noopener noreferrer">Track</a><img src="https://shop.example/x.png" alt="Box" loading="lazy" referrerpolicy="no-referrer" />`
    )
  })

  test('has addresses that begin with values', ({ assert }) => {
    const body = '<a href="{{base}}/7?a={{a}}">x</a><img src="{{base}}{{path}}"><img src="{{old}}">'
    const data = { base: 'https://shop.example', a: 'b&c', path: '/x.png', old: 'http://a.example' }
    const addresses = /(?:href|src)="[^"]*"/g
    assert.deepEqual(bodyOf(body, data)!.match(addresses), [
      'href="https://shop.example/7?a=b&amp;c"',
      'src="https://shop.example/x.png"',
      'src=""',
    ])
  })

  test('does not read braces of the text as placeholders', ({ assert }) => {
    const html = bodyOf('<p>&#123;&#123;secret}} {{shown}}</p>', { secret: 'no', shown: 'yes' })
    assert.equal(html, '<p>{ {secret}} yes</p>')
  })

  test('takes linear time', ({ assert }) => {
    const units = ['<a ', '<!--', '<p>', '<div style="', '<noscript>', '</p', '&#', '<svg><style>']
    for (const unit of units) {
      const before = process.threadCpuUsage()
      safeFragment(unit.repeat(300_000 / unit.length))
      assert.isBelow(process.threadCpuUsage(before).user, 2_000_000, unit)
    }
  })
})
