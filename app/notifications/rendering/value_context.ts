import { escapeCss, escapeHtml, escapeUrl } from '#app/notifications/rendering/escape'
import { htmlRegions, type HtmlRegion } from '#app/notifications/rendering/html_regions'
import { isLink, takesNoValue } from '#app/notifications/rendering/links'

/** Where a value may stand in HTML; null where no escaping makes it safe. */
export type ValueContext = 'text' | 'url' | 'css'

export const ESCAPES: Record<ValueContext, (text: string) => string> = {
  text: escapeHtml,
  url: escapeUrl,
  css: escapeCss,
}

const NEVER = new Set(['srcdoc', 'content', 'http-equiv'])
/** What they load or change is the page itself, or an attribute of another element. */
const TAKES_NO_VALUES = new Set(
  'animate animatemotion animatetransform base embed link object script set'.split(' ')
)

/**
 * Finds the context of positions in one document; ask in ascending order.
 *
 * @example
 * const contextAt = contextFinder(html)
 * contextAt(html.indexOf('{{'))
 */
export function contextFinder(html: string) {
  const regions = htmlRegions(html)
  let current = -1
  let contextIn: (position: number) => ValueContext | null = () => 'text'
  return (position: number): ValueContext | null => {
    const before = current
    while (current + 1 < regions.length && regions[current + 1].start <= position) current++
    if (current !== before) contextIn = contextsOf(regions[current], html)
    const inside = current >= 0 && position < regions[current].end
    return inside ? contextIn(position) : 'text'
  }
}

const never = () => null
const text = () => 'text' as const
const css = () => 'css' as const

function contextsOf({ kind, element, attribute = '', start, end }: HtmlRegion, html: string) {
  if (kind === 'style') return css
  if (kind === 'words') return holdsMarkup(html.slice(start, end)) ? never : text
  if (kind !== 'attribute' || TAKES_NO_VALUES.has(element)) return never
  if (attribute.startsWith('on') || NEVER.has(attribute)) return never
  if (attribute === 'style') return css
  return isLink(attribute) ? linkContexts(html.slice(start, end), start) : text
}

function linkContexts(link: string, start: number) {
  if (takesNoValue(link)) return never
  const delimiter = firstDelimiter(link)
  // A scheme that is made of values could become any scheme.
  const before = link[delimiter] === ':' ? null : ('url' as const)
  return (position: number) => (position > start + delimiter ? ('text' as const) : before)
}

/**
 * Whether parsers disagree on where text ends: some treat tags in a title as text, others as tags.
 */
export function holdsMarkup(content: string): boolean {
  return /<[a-z/!?]/i.test(content)
}

/** Where it is decided what scheme a link has; placeholders and character references are none of the author's. */
function firstDelimiter(link: string): number {
  for (const match of link.matchAll(/\{\{[^{}]*\}\}|&#?\w+;?|[/?#:]/g)) {
    if (match[0].length === 1) return match.index
  }
  return link.length
}
