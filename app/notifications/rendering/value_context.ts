import { escapeCss, escapeHtml, escapeUrl } from '#app/notifications/rendering/escape'
import { htmlRegions, type HtmlRegion } from '#app/notifications/rendering/html_regions'
import { isUrlAttribute, canRunCodeWithValue } from '#app/notifications/rendering/link_safety'

/** How a value in HTML must be escaped. `null` instead means that no escaping makes it safe. */
export type ValueContext = 'text' | 'url' | 'css'

export const ESCAPES: Record<ValueContext, (text: string) => string> = {
  text: escapeHtml,
  url: escapeUrl,
  css: escapeCss,
}

const UNSAFE_ATTRIBUTES = new Set(['srcdoc', 'content', 'http-equiv'])
// These load or change the page itself, or an attribute of another element.
const UNSAFE_ELEMENTS = new Set(
  'animate animatemotion animatetransform base embed link object script set'.split(' ')
)

/** Returns a function that finds the context of a position. Positions must be ascending. */
export function contextFinder(html: string) {
  const regions = htmlRegions(html)
  let current = -1
  let contextIn: (position: number) => ValueContext | null = () => 'text'
  return (position: number): ValueContext | null => {
    const before = current
    while (current + 1 < regions.length && regions[current + 1].start <= position) current++
    if (current !== before) contextIn = contextsIn(regions[current], html)
    const inside = current >= 0 && position < regions[current].end
    return inside ? contextIn(position) : 'text'
  }
}

const unsafe = () => null
const text = () => 'text' as const
const css = () => 'css' as const

function contextsIn({ kind, element, attribute = '', start, end }: HtmlRegion, html: string) {
  if (kind === 'style') return css
  if (kind === 'rcdata') return containsMarkup(html.slice(start, end)) ? unsafe : text
  if (kind !== 'attribute' || UNSAFE_ELEMENTS.has(element)) return unsafe
  if (attribute.startsWith('on') || UNSAFE_ATTRIBUTES.has(attribute)) return unsafe
  if (attribute === 'style') return css
  return isUrlAttribute(attribute) ? linkContexts(html.slice(start, end), start) : text
}

function linkContexts(link: string, start: number) {
  if (canRunCodeWithValue(link)) return unsafe
  const delimiter = firstDelimiter(link)
  // A value within the scheme could turn it into any scheme.
  const before = link[delimiter] === ':' ? null : ('url' as const)
  return (position: number) => (position > start + delimiter ? ('text' as const) : before)
}

/** Some parsers treat tags in a title as text, others as tags, so such content is never safe. */
export function containsMarkup(content: string): boolean {
  return /<[a-z/!?]/i.test(content)
}

/** The end of the part that can hold a scheme, ignoring placeholders and character references. */
function firstDelimiter(link: string): number {
  for (const match of link.matchAll(/\{\{[^{}]*\}\}|&#?\w+;?|[/?#:]/g)) {
    if (match[0].length === 1) return match.index
  }
  return link.length
}
