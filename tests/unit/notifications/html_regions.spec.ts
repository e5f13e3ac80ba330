import fc from 'fast-check'
import { test } from '@japa/runner'
import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { type HtmlRegion, htmlRegions } from '#app/notifications/rendering/html_regions'

const shown = (html: string) =>
  htmlRegions(html).map(({ kind, element, attribute, start, end }) =>
    [kind, element, attribute, html.slice(start, end)].filter((each) => each !== undefined)
  )

const values = (html: string) =>
  htmlRegions(html)
    .filter(({ attribute }) => attribute !== undefined)
    .map(({ start, end, attribute }) => `${attribute}: ${html.slice(start, end)}`)

const MODES: Record<string, number> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  plaintext: TokenizerMode.PLAINTEXT,
}

/**
 * The values of attributes as the HTML standard's own tokenizer finds them: element, attribute and
 * where they end.
 */
function valuesOfStandard(html: string): string[] {
  const found: string[] = []
  const nothing = () => {}
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
      onParseError: nothing,
      onEndTag: nothing,
      onStartTag: ({ tagName, location }: Token.TagToken) => {
        for (const [name, place] of Object.entries(location?.attrs ?? {})) {
          const written = html.slice(place.startOffset, place.endOffset)
          if (/^.[^\s/>=]*\s*=\s*[^\s>]/s.test(written)) {
            found.push(`${tagName} ${name} ${place.endOffset}`.toLowerCase())
          }
        }
        tokenizer.lastStartTagName = tagName
        if (Object.hasOwn(MODES, tagName)) tokenizer.state = MODES[tagName]
      },
    }
  )
  tokenizer.write(html, true)
  return found
}

const endOfValue = ({ kind, end }: HtmlRegion) => (kind === 'attribute' ? end + 1 : end)

const FRAGMENTS = [
  '<',
  '>',
  '"',
  "'",
  '=',
  '/',
  '!',
  '-',
  '--',
  '&',
  '{',
  ' ',
  '\n',
  '\t',
  '\f',
  'a',
  'İ',
  'é',
  '<!--',
  '-->',
  '--!>',
  '<!',
  '<?',
  '</',
  '<a ',
  '<A',
  '<p>',
  '</p>',
  '<br/>',
  '<img src=x />',
  '<title>',
  '</title>',
  '<textarea>',
  '</textarea',
  '<style>',
  '</style>',
  '</style ',
  'href',
  'href=',
  'href="',
  "x='",
  'x=y',
  '<![CDATA[',
  ']]>',
  '<xmp>',
  '</xmp>',
  '<plaintext>',
]

test.group('Regions of HTML', () => {
  test('are tags and attribute values', ({ assert }) => {
    assert.deepEqual(shown(`<p title="a" ID='b' c=d e>x</p>`), [
      ['markup', 'p', '<p title="'],
      ['attribute', 'p', 'title', 'a'],
      ['markup', 'p', `" ID='`],
      ['attribute', 'p', 'id', 'b'],
      ['markup', 'p', "' c="],
      ['unquoted', 'p', 'c', 'd'],
      ['markup', 'p', ' e>'],
      ['markup', '/p', '</p>'],
    ])
  })

  test('include raw content up to the end tag of its element', ({ assert }) => {
    assert.deepEqual(shown('<style>a<b</stylex></STYLE >').slice(1, 2), [
      ['style', 'style', 'a<b</stylex>'],
    ])
    assert.deepEqual(shown('<title><b></title>').slice(1, 2), [['rcdata', 'title', '<b>']])
    assert.deepEqual(shown('<script><a href="x">').slice(1), [['raw', 'script', '<a href="x">']])
    assert.deepEqual(shown('<plaintext></plaintext><b>').slice(1), [
      ['raw', 'plaintext', '</plaintext><b>'],
    ])
  })

  test('do not include comments, however they end')
    .with(['<!--%-->', '<!--%--!>', '<!--% -- > -->', '<!-- <!-- %-->'])
    .run(({ assert }, comment) => {
      assert.deepEqual(shown(comment.replace('%', '<a href="x">')), [])
      assert.deepEqual(values(`${comment}<a href="y">`), ['href: y'])
    })

  test('continue right after an empty comment')
    .with(['<!-->', '<!--->', '<!---->'])
    .run(({ assert }, comment) => {
      assert.deepEqual(values(`${comment}<a href="y">-->`), ['href: y'])
    })

  test('include comments that Outlook reads')
    .with([
      '<!--[if mso]><a href="x"><![endif]-->',
      '<!-- [if gte mso 9]><a href="x"><![endif]-->',
      '<!--\n[IF (gte mso 9)|(IE)]><a href="x"><![endif]-->',
      '<!--[if mso]><!-- <a href="x"><![endif]-->',
      '<![if !mso]><a href="x"><![endif]>',
      '<!--[if !mso]><!--><a href="x"><!--<![endif]-->',
    ])
    .run(({ assert }, html) => {
      assert.deepEqual(values(`${html}<a title="y">`), ['href: x', 'title: y'])
    })

  test('end with the conditional comment that contains them', ({ assert }) => {
    for (const open of ['<a href="x', '<a href=x', '<a', '<style>', '<title>', '<!x']) {
      assert.deepEqual(values(`<!--[if mso]>${open}--><a id="y">`).at(-1), 'id: y', open)
    }
  })

  test('of a declaration end at the next bracket', ({ assert }) => {
    for (const start of ['<!doctype html x="', '<?xml a="', '<![CDATA[ "', '</ x="']) {
      assert.deepEqual(values(`${start}><a href="y">`), ['href: y'], start)
    }
  })

  test('agree with the tokenizer of the HTML standard', ({ assert }) => {
    const html = fc
      .array(fc.constantFrom(...FRAGMENTS), { maxLength: 25 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(html, (text) => {
        const found = htmlRegions(text)
          .filter(({ attribute }) => attribute !== undefined)
          .map((region) => `${region.element} ${region.attribute} ${endOfValue(region)}`)
        assert.includeMembers(found, valuesOfStandard(text))
      }),
      { numRuns: 5_000, seed: 14 }
    )
  })

  test('are in order and never overlap', ({ assert }) => {
    const fragment = fc.constantFrom(...FRAGMENTS, '<!--[if mso]>', '<script>', '</script>')
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 30 }), (parts) => {
        const html = parts.join('')
        const bounds = htmlRegions(html).flatMap(({ start, end }) => [start, end])
        assert.deepEqual(
          bounds,
          bounds.toSorted((one, other) => one - other)
        )
        assert.isAtMost(bounds.at(-1) ?? 0, html.length)
      }),
      { numRuns: 5_000, seed: 14 }
    )
  })
})
