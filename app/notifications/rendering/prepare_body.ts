import { randomBytes } from 'node:crypto'
import { compile } from 'html-to-text'
import juice from 'juice'
import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import { findActiveContent } from '#app/notifications/rendering/active_content'
import { findHiddenContent } from '#app/notifications/rendering/browser_reading'
import {
  lineAt,
  parseTemplate,
  placeholdersOf,
  type Placeholder,
} from '#app/notifications/rendering/parse_template'
import { MAX_RENDERED_LENGTH } from '#app/notifications/rendering/render'
import { contextFinder } from '#app/notifications/rendering/value_context'

/** What is made of a body once, when it is saved. */
export interface PreparedBody {
  /** With the rules of its style sheets in the elements; those that cannot be there, such as media queries, stay. */
  inlinedBody: string
  textTemplate: string
}

// What juice takes for the code of template engines would get past the parser, and past our checks with it.
for (const engine of Object.keys(juice.codeBlocks)) delete juice.codeBlocks[engine]

/** Selectors times elements; a rich newsletter has some 30,000. */
const MAX_STYLE_WORK = 100_000

const toText = compile({
  wordwrap: false,
  limits: { maxDepth: 200 },
  selectors: [
    ...[1, 2, 3, 4, 5, 6].map((level) => ({
      selector: `h${level}`,
      options: { uppercase: false },
    })),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    // What mail programs show beside the subject repeats what the text says.
    { selector: '.preheader', format: 'skip' },
  ],
})

/**
 * Inlines the styles of a body and derives its text part; placeholders stay as they are. Nothing is
 * fetched. This can take any time and memory, so texts that somebody sent go through
 * `PreparationPool`.
 *
 * @throws TemplateSyntax with the line, also for what would run and for a placeholder where no
 *   escaping makes it safe
 * @throws TemplateTooComplex
 */
export function prepareBody(source: string): PreparedBody {
  requirePassive(source, (position) => lineAt(source, position))
  const marked = markPlaceholders(source)
  requireModestStyles(marked.html)
  const inlined = readingHtml(() => juice(marked.html))
  const inlinedBody = marked.restore(inlined)
  requireRenderable(inlinedBody)
  // The parser may have changed the source.
  requirePassive(inlinedBody, () => 1)
  requireSafePlaces(inlinedBody, marked.sourcesIn(inlined), source)
  const textTemplate = marked.restore(readingHtml(() => toText(marked.html)))
  requireRenderable(textTemplate)
  return { inlinedBody, textTemplate }
}

/** Swaps placeholders for plain words, which neither HTML nor CSS parsers touch. */
function markPlaceholders(source: string) {
  const placeholders: Placeholder[] = []
  const mark = unusedWord(source)
  const marks = new RegExp(`${mark}(\\d+)x`, 'gi')
  const html = parseTemplate(source)
    .map((part) => (typeof part === 'string' ? part : `${mark}${placeholders.push(part) - 1}x`))
    .join('')
  return {
    html,
    /** The placeholders whose marks stand in `text`, in the order of `text`. */
    sourcesIn: (text: string) =>
      [...text.matchAll(marks)].map(([, index]) => placeholders[Number(index)]),
    /** Braces that came about otherwise, from character references for instance, are kept from becoming placeholders. */
    restore: (text: string) =>
      text
        .replace(new RegExp(`\\{(?=\\{|${mark})`, 'gi'), '{ ')
        .replace(marks, (_, index) => `{{${placeholders[Number(index)].name}}}`),
  }
}

function unusedWord(source: string): string {
  const word = `zq${randomBytes(6).toString('hex')}n`
  return source.toLowerCase().includes(word) ? unusedWord(source) : word
}

/** Inlining tries every selector on every element. */
function requireModestStyles(html: string) {
  const styles = (html.match(/<style[^]*?(?:<\/style|$)/gi) ?? []).join('')
  const selectors = styles.match(/[{,]/g)?.length ?? 0
  const elements = html.match(/<[a-z]/gi)?.length ?? 0
  if (selectors * Math.max(elements, 50) > MAX_STYLE_WORK) {
    throw new TemplateTooComplex({
      detail: 'The body has too many style rules for its number of elements',
    })
  }
}

function requireRenderable(text: string) {
  if (text.length <= MAX_RENDERED_LENGTH) return
  throw new TemplateTooComplex({
    detail: 'The body is too large after its styles are inlined',
  })
}

function requirePassive(html: string, lineOf: (position: number) => number) {
  const found = findActiveContent(html) ?? findHiddenContent(html)
  if (found === null) return
  const { what, position } = found
  const detail = `The body must not contain ${what}`
  throw new TemplateSyntax(detail, lineOf(position))
}

function requireSafePlaces(html: string, sources: Placeholder[], source: string) {
  const contextAt = contextFinder(html)
  placeholdersOf(parseTemplate(html)).forEach(({ start }, index) => {
    if (contextAt(start) !== null) return
    const { name, start: position } = sources[index]
    throw new TemplateSyntax(
      `{{${name}}} stands where no value is safe: inside a tag, in a script or as the scheme of a link`,
      lineAt(source, position)
    )
  })
}

function readingHtml(read: () => string): string {
  try {
    return read()
  } catch (error) {
    throw new TemplateSyntax('The HTML or its styles cannot be read', 1, error)
  }
}
