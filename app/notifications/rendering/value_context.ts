import { decodeHTMLAttribute } from 'entities'
import { escapeCss, escapeHtml, escapeUrl } from '#app/notifications/rendering/escape'
import { htmlRegions, type HtmlRegion } from '#app/notifications/rendering/html_regions'

/** Where a value may stand in HTML; null where no escaping makes it safe. */
export type ValueContext = 'text' | 'url' | 'css'

export const ESCAPES: Record<ValueContext, (text: string) => string> = {
  text: escapeHtml,
  url: escapeUrl,
  css: escapeCss,
}

const LINKS = new Set(
  'href src action formaction background poster cite data xlink:href longdesc'.split(' ')
)
const NEVER = new Set(['srcdoc', 'content', 'http-equiv'])
/** A link that its author wrote to run something or to be a page of its own: a value would become part of that. */
const CODE_LINK = /^(?:javascript|vbscript):|^data:(?!image\/)/i

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
    while (current + 1 < regions.length && regions[current + 1].start <= position) {
      contextIn = contextsOf(regions[++current], html)
    }
    const inside = current >= 0 && position < regions[current].end
    return inside ? contextIn(position) : 'text'
  }
}

function contextsOf({ kind, attribute = '', start, end }: HtmlRegion, html: string) {
  if (kind === 'style' || attribute === 'style') return () => 'css' as const
  if (kind !== 'attribute' || attribute.startsWith('on') || NEVER.has(attribute)) return () => null
  if (!LINKS.has(attribute)) return () => 'text' as const
  const link = html.slice(start, end)
  if (CODE_LINK.test(asBrowsersRead(link))) return () => null
  const delimiter = firstDelimiter(link)
  // A scheme that is made of values could become any scheme.
  const before = html[start + delimiter] === ':' ? null : ('url' as const)
  return (position: number) => (position > start + delimiter ? ('text' as const) : before)
}

/** Without character references, nor the blanks and controls that browsers leave out of a scheme. */
function asBrowsersRead(link: string): string {
  return decodeHTMLAttribute(link).replace(/[\p{C}\p{Z}]+/gu, '')
}

/** Where it is decided what scheme a link has; placeholders and character references are none of the author's. */
function firstDelimiter(link: string): number {
  for (const match of link.matchAll(/\{\{[^}]*\}\}|&#?\w+;?|[/?#:]/g)) {
    if (match[0].length === 1) return match.index
  }
  return link.length
}
