import { decodeHTMLAttribute } from 'entities'
import { htmlRegions, type HtmlRegion } from '#app/notifications/rendering/html_regions'
import { isUrlAttribute, canRunCode } from '#app/notifications/rendering/link_safety'
import { styleInterpretations } from '#app/notifications/rendering/style_interpretations'
import { containsMarkup } from '#app/notifications/rendering/value_context'

// Elements that run code, load another page or change how the rest is parsed.
const FORBIDDEN_ELEMENTS = new Set(
  [
    'animate animatemotion animatetransform applet base embed fencedframe frame frameset iframe math',
    'noembed noframes noscript object plaintext portal script set svg template xmp',
  ].flatMap((names) => names.split(' '))
)

// `behavior` is part of other property names, and Outlook's VML needs `#default`.
const RUNS_CODE = new RegExp(
  [
    '(?:java|vb)script:|expression\\s*\\(|-moz-binding',
    '(?<!scroll-|transition-)behavior\\s*:(?!\\s*url\\(\\s*["\']?#default#\\w+["\']?\\s*\\)\\s*(?:[;}!]|$))',
  ].join('|'),
  'i'
)

export interface ActiveContent {
  what: string
  position: number
}

export function findActiveContent(html: string): ActiveContent | null {
  for (const region of htmlRegions(html)) {
    const what = describeRegion(region, html)
    if (what !== null) return { what, position: region.start }
  }
  return null
}

function describeRegion(region: HtmlRegion, html: string): string | null {
  const { kind, element, attribute, start, end } = region
  if (FORBIDDEN_ELEMENTS.has(element)) return `<${element}>`
  if (attribute !== undefined) return describeAttribute(attribute, html.slice(start, end))
  if (kind === 'style' && styleRunsCode(html.slice(start, end))) return 'a script in a style'
  if (kind === 'rcdata' && containsMarkup(html.slice(start, end)))
    return `a tag inside <${element}>`
  return null
}

export function describeActiveElement(
  element: string,
  attributes: readonly { name: string; value: string }[],
  style = ''
): string | null {
  if (FORBIDDEN_ELEMENTS.has(element)) return `<${element}>`
  for (const { name, value } of attributes) {
    const what = describeAttribute(name, value.replaceAll('&', '&amp;'))
    if (what !== null) return what
  }
  return styleRunsCode(style) ? 'a script in a style' : null
}

function describeAttribute(attribute: string, value: string): string | null {
  if (/^on[a-z]/.test(attribute) || attribute === 'srcdoc') return `the attribute ${attribute}`
  if (isUrlAttribute(attribute) && canRunCode(value))
    return `a link in ${attribute} that can run code`
  if (attribute === 'http-equiv' && /refresh/i.test(value)) return 'a refresh'
  const isStyle = attribute === 'style'
  return isStyle && styleRunsCode(decodeHTMLAttribute(value)) ? 'a script in a style' : null
}

const styleRunsCode = (css: string) =>
  styleInterpretations(css).some((reading) => RUNS_CODE.test(reading))
