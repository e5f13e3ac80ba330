import fc from 'fast-check'
import { test } from '@japa/runner'
import { TemplateSyntax } from '#app/notifications/exceptions'
import { parseTemplate, placeholdersOf } from '#app/notifications/rendering/parse_template'

const names = (source: string) => placeholdersOf(parseTemplate(source)).map(({ name }) => name)

function refusal(source: string): TemplateSyntax {
  try {
    parseTemplate(source)
  } catch (error) {
    if (error instanceof TemplateSyntax) return error
    throw error
  }
  throw new Error(`accepted: ${source.slice(0, 100)}`)
}

test.group('Template syntax', () => {
  test('placeholders contain a name or a dotted path, and spaces', ({ assert }) => {
    assert.deepEqual(names('{{a}} {{ b }} {{c.d.e}} {{\tjméno\n}} {{items.0.name}} {{x-y_z$1}}'), [
      'a',
      'b',
      'c.d.e',
      'jméno',
      'items.0.name',
      'x-y_z$1',
    ])
  })

  test('sections surround what is repeated, and may contain others', ({ assert }) => {
    const source = '{{#a}}x{{# b.c }}{{y}}{{/b.c}}{{/ a}}{{^a}}none{{/a}}'
    const kinds = placeholdersOf(parseTemplate(source)).map(({ kind, name }) => `${kind} ${name}`)
    assert.deepEqual(kinds, [
      'section a',
      'section b.c',
      'value y',
      'end b.c',
      'end a',
      'inverted a',
      'end a',
    ])
  })

  test('other braces are text', ({ assert }) => {
    for (const text of ['', '{', '}}', 'a { b } c', '@media x{.a{color:red}}', '} }']) {
      assert.deepEqual(parseTemplate(text).join(''), text)
    }
  })

  test('a brace after a placeholder is text')
    .with(['{{a}}}', '{{a}}}}'])
    .run(({ assert }, source) => {
      assert.deepEqual(names(source), ['a'])
    })

  test('rejects {$self}')
    .with([
      '{{/a}}',
      '{{#a}}',
      '{{^a}}x',
      '{{#a}}{{/b}}',
      '{{#a}}{{#b}}{{/a}}{{/b}}',
      '{{#a}}{{#b}}{{#c}}{{#d}}{{#e}}{{/e}}{{/d}}{{/c}}{{/b}}{{/a}}',
      '{{#}}{{/}}',
      '{{#a b}}{{/a b}}',
      '{{##a}}{{/#a}}',
      '{{> header}}',
      '{{{a}}}',
      '{{ {a} }}',
      '{{{a}}',
      '{{&a}}',
      '{{& a}}',
      '{{! comment }}',
      '{{=<% %>=}}',
      '{{=[ ]=}} [a]',
      '{{}}',
      '{{ }}',
      '{{.}}',
      '{{a.}}',
      '{{.a}}',
      '{{a..b}}',
      '{{a b}}',
      '{{a()}}',
      '{{a[0]}}',
      '{{a|b}}',
      '{{"a"}}',
      '{{a',
      '{{a}',
      '{{a} }',
      'x {{',
      '{{a{{b}}}}',
      '{{#lambda}}{{/other}}',
    ])
    .run(({ assert }, source) => {
      const error = refusal(source)
      assert.equal(error.status, 400)
      assert.equal(error.code, 'TEMPLATE_SYNTAX')
      assert.equal(error.details.line, 1)
    })

  test('errors contain the line of the placeholder, counted from 1', ({ assert }) => {
    assert.equal(refusal('{{#a}}\n{{/b}}').details.line, 2)
    assert.equal(refusal('one\ntwo\n  {{ok}} {{{bad}}}').details.line, 3)
    assert.equal(refusal('\n\n\n{{never closed\n\n').details.line, 4)
    assert.equal(refusal('a\r\nb\r\n{{> x}}').details.line, 3)
  })

  test('hostile templates are rejected quickly', ({ assert }) => {
    const started = process.cpuUsage()
    refusal('{{a' + ' '.repeat(65_000))
    refusal('{{a' + ' '.repeat(65_000) + '}}')
    refusal('{{{a}}' + ' '.repeat(65_000))
    refusal('{{'.repeat(32_000))
    refusal('{{a}}'.repeat(10_000) + '{{#')
    refusal('{{' + 'a.'.repeat(30_000) + 'a}}')
    assert.isBelow(process.cpuUsage(started).user, 1_000 * 1_000)
  })

  test('any text is parsed or rejected with a valid line', ({ assert }) => {
    const pieces = fc.constantFrom(
      '{',
      '{{',
      '{{{',
      '}',
      '}}',
      '}}}',
      '#',
      '^',
      '/',
      '>',
      '&',
      '!',
      '=',
      '.',
      ' ',
      '\n',
      'a',
      'b'
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const source = parts.join('')
        try {
          const parsed = parseTemplate(source)
          const again = parsed.map((part) =>
            typeof part === 'string' ? part : source.slice(part.start, part.end)
          )
          assert.equal(again.join(''), source)
        } catch (error) {
          if (!(error instanceof TemplateSyntax)) throw error
          assert.isAtLeast(error.details.line as number, 1)
          assert.isAtMost(error.details.line as number, source.split('\n').length)
        }
      }),
      { numRuns: 2_000 }
    )
  })
})
