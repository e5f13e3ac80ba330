import fc from 'fast-check'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { test } from '@japa/runner'
import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import { findHiddenContent } from '#app/notifications/rendering/find_hidden_content'
import { prepareBody } from '#app/notifications/rendering/prepare_body'

function accepted(body: string): string | null {
  try {
    return prepareBody(body).inlinedBody
  } catch (error) {
    if (error instanceof TemplateSyntax || error instanceof TemplateTooComplex) return null
    throw error
  }
}

function holdsHandler(html: string, scriptingEnabled: boolean) {
  const nodes: DefaultTreeAdapterTypes.Node[] = [parse(html, { scriptingEnabled })]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if ('attrs' in node && node.attrs.some(({ name }) => name.startsWith('on'))) return true
    if ('childNodes' in node) nodes.push(...node.childNodes)
  }
  return false
}

test.group('Bodies in browsers', () => {
  test('never contain an event handler', ({ assert }) => {
    const fragment = fc.constantFrom(
      ...['<select>', '</select>', '<option>', '<style>', '</style>', '<title>', '</title>'],
      ...['<textarea>', '</textarea>', '<table>', '<tr>', '<td>', '</td>', '</table>', '<caption>'],
      ...['<img src=x onerror=alert(1)>', '"', "'", '<!--', '-->', '--!>', '<!-->', '<!--[if x]>'],
      ...['<![endif]-->', '<![CDATA[', ']]>', '<b>', '</b>', '<p title="', '>', '<p>', '</p>'],
      ...['<body>', '</body>', '<html>', '</html>', '<head>', '</head>', '<a href="x">', '</a>'],
      ...['<input>', '<form>', '<button>', '@media all{a{b:"', '"}}', '<x', '/', ' ', '=', '<i x=']
    )
    let count = 0
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 16 }), (parts) => {
        const body = accepted(parts.join(''))
        if (body === null) return
        count++
        for (const html of [body, `<!doctype html><table><tr><td>${body}</td></tr></table>`]) {
          assert.isFalse(holdsHandler(html, true), html)
          assert.isFalse(holdsHandler(html, false), html)
        }
      }),
      { numRuns: 3_000, seed: 14 }
    )
    assert.isAbove(count, 1_000)
  })

  test('are rejected if they are nested too deeply: {$self}')
    .with(['<div>', '<b id=1>', '<table><tr><td>', '<i></b>', '<!--[if mso]><p><div><![endif]-->'])
    .run(({ assert }, unit) => {
      assert.throws(() => findHiddenContent(unit.repeat(1_000)), /nested too deeply/)
    })

  test('can be long: {$self}')
    .with([
      '<table><tr><td><b>x</b></td></tr></table>',
      '<select><option>x</select>',
      '<ul><li>x<li>y</ul>',
      '<a href=x><b>x</a></b>',
      '<b><p>x</b></p></br>',
      '<!--[if mso]><table><tr><td><![endif]-->x<!--[if mso]></td></tr></table><![endif]-->',
    ])
    .run(({ assert }, unit) => assert.isNull(findHiddenContent(unit.repeat(1_000))))
})
