import { test } from '@japa/runner'
import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import { prepareBody } from '#app/notifications/rendering/prepare_body'

function refusal(source: string): TemplateSyntax {
  try {
    prepareBody(source)
  } catch (error) {
    if (error instanceof TemplateSyntax) return error
    throw error
  }
  throw new Error(`accepted: ${source.slice(0, 100)}`)
}

test.group('Preparation of a body', () => {
  test('inlines styles but keeps media queries', ({ assert }) => {
    const { inlinedBody } = prepareBody(
      '<style>p{color:red} @media (max-width:600px){p{color:blue}}</style><p>Hi</p>'
    )
    assert.include(inlinedBody, '<p style="color: red;">Hi</p>')
    assert.match(inlinedBody, /@media[^{]*\{\s*p\s*\{\s*color: blue/)
  })

  test('keeps placeholders everywhere', ({ assert }) => {
    const { inlinedBody, textTemplate } = prepareBody(
      '<style>p{color:{{ brand.color }};}</style><p title="{{a}}">{{b}} &amp; {{ c.d }}</p>' +
        '<a href={{url}}>{{link}}</a><!-- {{e}} -->'
    )
    assert.include(inlinedBody, '<p title="{{a}}" style="color: {{brand.color}};">')
    assert.include(inlinedBody, '{{b}} &amp; {{c.d}}</p>')
    assert.include(inlinedBody, '<a href="{{url}}">{{link}}</a>')
    assert.equal(textTemplate, '{{b}} & {{c.d}}\n\n{{link}} [{{url}}]')
  })

  test('derives a readable text part', ({ assert }) => {
    const { textTemplate } = prepareBody(
      '<style>h1{color:red}</style><h1>Hello {{name}}</h1>' +
        `<p>${'long '.repeat(40)}line</p><ul><li>one</li><li>two</li></ul>` +
        '<p><a href="https://x.example">https://x.example</a><img src="https://x.example/i.png" alt=""></p>'
    )
    assert.equal(
      textTemplate,
      `Hello {{name}}\n\n${'long '.repeat(40)}line\n\n * one\n * two\n\nhttps://x.example`
    )
  })

  test('does not turn character references into placeholders', ({ assert }) => {
    const { textTemplate } = prepareBody('<p>&#123;&#123;#a}} &#123;{{b}} &lbrace;&lbrace;c}}</p>')
    assert.equal(textTemplate, '{ {#a}} { {{b}} { {c}}')
  })

  test('treats the syntax of template engines as text', ({ assert }) => {
    const { inlinedBody } = prepareBody(
      '<style>p{color:red}</style><p>1 <% x %> JUICE_CODE_BLOCK_0_</p>'
    )
    assert.include(inlinedBody, 'color: red')
    assert.throws(() => prepareBody('<p>ok</p><% <a {{x}}> %>'))
  })

  test('rejects a placeholder in {$self}')
    .with([
      '<p>\n<{{tag}}>',
      '<p>\n<a {{attributes}}>x</a>',
      '<p>\n<a {{name}}="x">x</a>',
      '<p>\n<a data-{{name}}="x">x</a>',
      '<p>\n<b onclick="go(\'{{x}}\')">x</b>',
      '<p>\n<script>var x = "{{x}}"</script>',
      '<p>\n<iframe srcdoc="{{x}}"></iframe>',
      '<p>\n<meta http-equiv="refresh" content="0;url={{x}}">',
      '<p>\n<a href="{{scheme}}:alert(1)">x</a>',
      '<p>\n<a href="java{{script}}:alert(1)">x</a>',
      '<p>\n<a href="javascript:go(\'{{x}}\')">x</a>',
      '<p>\n<a href=" java&#115;cript&colon;go(\'{{x}}\')">x</a>',
      '<p>\n<a href="data:text/html,{{x}}">x</a>',
    ])
    .run(({ assert }, source) => {
      assert.equal(refusal(source).details.line, 2)
    })

  test('accepts ordinary links with placeholders')
    .with([
      '<a href="{{url}}">x</a>',
      '<a href="{{base}}/orders/{{id}}?at=10:30">x</a>',
      '<a href="https://{{host}}:8080/">x</a>',
      '<a href="https://x.example/?q={{q}}#{{a}}:{{b}}">x</a>',
      '<a href="mailto:{{mail}}">x</a>',
      '<a href="our-app://orders/{{id}}">x</a>',
      '<img src="data:image/png;base64,{{code}}" alt="">',
      '<img src="{{image}}" alt="{{alt}}" srcset="{{image}} 2x">',
    ])
    .run(({ assert }, source) => {
      assert.match(prepareBody(source).inlinedBody, /\{\{/)
    })

  test('fetches nothing', async ({ assert }) => {
    const before = process.getActiveResourcesInfo().filter((name) => /TCP|GetAddrInfo/.test(name))
    const { inlinedBody } = prepareBody(
      '<link rel="stylesheet" href="http://127.0.0.1:1/a.css"><style>@import url(http://127.0.0.1:1/b.css);</style><p>x</p>'
    )
    assert.include(inlinedBody, '<p>x</p>')
    const after = process.getActiveResourcesInfo().filter((name) => /TCP|GetAddrInfo/.test(name))
    assert.deepEqual(after, before)
  })

  test('handles hostile HTML quickly: {name}')
    .with([
      { name: 'deep nesting', source: '<div>'.repeat(13_000) },
      { name: 'only brackets', source: '<'.repeat(65_000) },
      { name: 'open quotes', source: '<a "'.repeat(16_000) },
      { name: 'open attributes', source: "<a x='".repeat(10_000) },
      { name: 'open comments', source: '<!--'.repeat(16_000) },
      { name: 'open styles', source: '<style>'.repeat(9_000) },
      { name: 'open rules', source: `<style>${'a{'.repeat(30_000)}` },
      {
        name: 'many rules, many elements',
        source: `<style>${'*{color:red}'.repeat(2_000)}</style>${'<b>x</b>'.repeat(2_000)}`,
      },
      {
        name: 'as many rules and elements as allowed',
        source: `<style>${'b{color:red}'.repeat(315)}</style>${'<b>x</b>'.repeat(315)}`,
      },
      {
        name: 'one rule, many selectors',
        source: `<style>${'b,'.repeat(20_000)}b{color:red}</style>${'<b>x</b>'.repeat(2_000)}`,
      },
      { name: 'broken styles', source: '<style>@import "x";{(["</style>' },
      { name: 'many placeholders', source: '{{a}}'.repeat(13_000) },
      { name: 'many placeholders in attributes', source: '<p title="{{a}}">'.repeat(3_800) },
      {
        name: 'many placeholders in one link',
        source: `<a href="${'{{a}}'.repeat(13_000)}">x</a>`,
      },
      { name: 'many references', source: '&'.repeat(65_000) },
    ])
    .run(({ assert }, { source }) => {
      const started = process.cpuUsage()
      try {
        prepareBody(source)
      } catch (error) {
        assert.isTrue(error instanceof TemplateSyntax || error instanceof TemplateTooComplex)
      }
      assert.isBelow(process.cpuUsage(started).user, 1_000 * 3_000)
    })
})
