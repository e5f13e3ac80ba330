import { compile } from 'html-to-text'
import juice from 'juice'
import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import { findActiveContent } from '#app/notifications/rendering/active_content'
import { findHiddenContent } from '#app/notifications/rendering/find_hidden_content'
import {
  MISPLACED,
  findMisplacedSection,
} from '#app/notifications/rendering/find_misplaced_section'
import { markPlaceholders } from '#app/notifications/rendering/mark_placeholders'
import {
  lineAt,
  parseTemplate,
  placeholdersOf,
  sourceOf,
  type Placeholder,
} from '#app/notifications/rendering/parse_template'
import { MAX_RENDERED_LENGTH } from '#app/notifications/rendering/render'
import { contextFinder } from '#app/notifications/rendering/value_context'

export interface PreparedBody {
  /** Rules that cannot be inlined, such as media queries, stay in the style sheet. */
  inlinedBody: string
  textTemplate: string
}

// juice skips what it takes for template code, and such content would bypass our checks.
for (const engine of Object.keys(juice.codeBlocks)) delete juice.codeBlocks[engine]

// Selectors times elements. A rich newsletter has about 30,000.
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
    { selector: '.preheader', format: 'skip' },
  ],
})

/**
 * Time and memory are not limited here, so untrusted texts must go through `PreparationPool`.
 * @throws TemplateSyntax, TemplateTooComplex
 */
export function prepareBody(source: string): PreparedBody {
  requireNoActiveContent(source, (position) => lineAt(source, position))
  requirePlacedSections(source)
  const marked = markPlaceholders(source)
  requireSimpleStyles(marked.html)
  const inlined = parsingHtml(() => juice(marked.html))
  const inlinedBody = marked.restore(inlined)
  requireRenderableSize(inlinedBody)
  requireNoActiveContent(inlinedBody, () => 1)
  requireSafePlaceholders(inlinedBody, marked.sourcesIn(inlined), source)
  const lines = markPlaceholders(separateSections(source))
  const textTemplate = lines.restore(parsingHtml(() => toText(lines.html)))
  requireRenderableSize(textTemplate)
  return { inlinedBody, textTemplate }
}

const BLOCK = '(?:tr|li|p|div|table|h[1-6]|ul|ol|dl|dt|dd|blockquote)'
const BEFORE_BLOCK = new RegExp(`\\{\\{\\s*[#^][^{}]*\\}\\}(?=\\s*<${BLOCK}[\\s>])`, 'gi')
const AFTER_BLOCK = new RegExp(`(</${BLOCK}>)(\\s*)(\\{\\{\\s*/[^{}]*\\}\\})`, 'gi')

/** In the text, what a section repeats begins on a line of its own if it is a block. */
const separateSections = (source: string) =>
  source.replace(BEFORE_BLOCK, '<div>$&</div>').replace(AFTER_BLOCK, '$1$2<div>$3</div>')

function requireSimpleStyles(html: string) {
  const styles = (html.match(/<style[^]*?(?:<\/style|$)/gi) ?? []).join('')
  const selectors = styles.match(/[{,]/g)?.length ?? 0
  const elements = html.match(/<[a-z]/gi)?.length ?? 0
  if (selectors * Math.max(elements, 50) > MAX_STYLE_WORK) {
    throw new TemplateTooComplex({
      detail: 'The body has too many style rules for its number of elements',
    })
  }
}

function requireRenderableSize(text: string) {
  if (text.length <= MAX_RENDERED_LENGTH) return
  throw new TemplateTooComplex({
    detail: 'The body is too large after its styles are inlined',
  })
}

function requireNoActiveContent(html: string, lineOf: (position: number) => number) {
  const found = findActiveContent(html) ?? findHiddenContent(html)
  if (found === null) return
  const { what, position } = found
  const detail = `The body must not contain ${what}`
  throw new TemplateSyntax(detail, lineOf(position))
}

/** Checked again when the inlined body is compiled. */
function requirePlacedSections(source: string) {
  const section = findMisplacedSection(source)
  if (section === null) return
  throw new TemplateSyntax(`${sourceOf(section)} ${MISPLACED}`, lineAt(source, section.start))
}

function requireSafePlaceholders(html: string, sources: Placeholder[], source: string) {
  const contextAt = contextFinder(html)
  placeholdersOf(parseTemplate(html)).forEach(({ start }, index) => {
    if (contextAt(start) !== null) return
    const { name, start: position } = sources[index]
    throw new TemplateSyntax(
      `{{${name}}} must not be used inside a tag, in a script or as the scheme of a link`,
      lineAt(source, position)
    )
  })
}

function parsingHtml(read: () => string): string {
  try {
    return read()
  } catch (error) {
    throw new TemplateSyntax('The HTML or its styles cannot be parsed', 1, error)
  }
}
