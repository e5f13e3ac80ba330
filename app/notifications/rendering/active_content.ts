import { decodeHTMLAttribute } from 'entities'
import { htmlRegions, type HtmlRegion } from '#app/notifications/rendering/html_regions'
import { isLink, runsSomething } from '#app/notifications/rendering/links'
import { styleReadings } from '#app/notifications/rendering/style_readings'
import { holdsMarkup } from '#app/notifications/rendering/value_context'

/**
 * Elements that run code, load another page or change how the rest is parsed. No mail needs them.
 */
const REFUSED = new Set(
  [
    'animate animatemotion animatetransform applet base embed fencedframe frame frameset iframe math',
    'noembed noframes noscript object plaintext portal script set svg template xmp',
  ].flatMap((names) => names.split(' '))
)

/** `behavior` is part of other properties' names, and Outlook's VML needs its default. */
const STYLE_RUNS = new RegExp(
  [
    '(?:java|vb)script:|expression\\s*\\(|-moz-binding',
    '(?<!scroll-|transition-)behavior\\s*:(?!\\s*url\\(\\s*["\']?#default#\\w+["\']?\\s*\\)\\s*(?:[;}!]|$))',
  ].join('|'),
  'i'
)

/** Active content in a body, and its position. */
export interface ActiveContent {
  /** In words, such as `<script>`. */
  what: string
  position: number
}

/**
 * The first content in a body that would run code or load a page when it is read; null if none.
 */
export function findActiveContent(html: string): ActiveContent | null {
  for (const region of htmlRegions(html)) {
    const what = activeIn(region, html)
    if (what !== null) return { what, position: region.start }
  }
  return null
}

function activeIn(region: HtmlRegion, html: string): string | null {
  const { kind, element, attribute, start, end } = region
  if (REFUSED.has(element)) return `<${element}>`
  if (attribute !== undefined) return activeAttribute(attribute, html.slice(start, end))
  if (kind === 'style' && runsInStyle(html.slice(start, end))) return 'a script in a style'
  if (kind === 'words' && holdsMarkup(html.slice(start, end))) return `a tag inside <${element}>`
  return null
}

/** The same for an element that has been read already: attributes without character references. */
export function activeElement(
  element: string,
  attributes: readonly { name: string; value: string }[],
  style = ''
): string | null {
  if (REFUSED.has(element)) return `<${element}>`
  for (const { name, value } of attributes) {
    const what = activeAttribute(name, value.replaceAll('&', '&amp;'))
    if (what !== null) return what
  }
  return runsInStyle(style) ? 'a script in a style' : null
}

function activeAttribute(attribute: string, value: string): string | null {
  if (/^on[a-z]/.test(attribute) || attribute === 'srcdoc') return `the attribute ${attribute}`
  if (isLink(attribute) && runsSomething(value)) return `a link in ${attribute} that can run code`
  if (attribute === 'http-equiv' && /refresh/i.test(value)) return 'a refresh'
  const isStyle = attribute === 'style'
  return isStyle && runsInStyle(decodeHTMLAttribute(value)) ? 'a script in a style' : null
}

const runsInStyle = (css: string) => styleReadings(css).some((reading) => STYLE_RUNS.test(reading))
