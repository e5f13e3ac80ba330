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

/**
 * Finds the context of positions in one document; ask in ascending order.
 *
 * @example
 * const contextAt = contextFinder(html)
 * contextAt(html.indexOf('{{'), '{{url}}'.length)
 */
export function contextFinder(html: string) {
  const regions = htmlRegions(html)
  let next = 0
  return (start: number, end: number): ValueContext | null => {
    while (next < regions.length && regions[next].end <= start) next++
    const region = regions[next]
    if (!region || region.start > start) return 'text'
    return contextIn(region, html, start, end)
  }
}

function contextIn(region: HtmlRegion, html: string, start: number, end: number) {
  if (region.kind === 'style') return 'css'
  if (region.kind !== 'attribute') return null
  const name = region.attribute!
  if (name === 'style') return 'css'
  if (name.startsWith('on') || NEVER.has(name)) return null
  if (!LINKS.has(name) || /[/?#:]/.test(literal(html.slice(region.start, start)))) return 'text'
  // What follows must not turn the value into a scheme: `{{a}}:…` could become anything.
  const rest = literal(html.slice(end, region.end))
  return /^[^/?#]*:/.test(rest) ? null : 'url'
}

/** Without placeholders and character references, whose `#` is none of the link. */
function literal(text: string) {
  return text.replace(/\{\{[^}]*\}\}|&#?\w+;?/g, '')
}
