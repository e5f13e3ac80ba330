import { decodeHTMLAttribute } from 'entities'

const LINKS = new Set(
  'action background cite classid codebase data formaction longdesc manifest ping poster'.split(' ')
)

/**
 * Whether the attribute holds a URL that is loaded or followed by a click.
 */
export function isLink(attribute: string): boolean {
  return LINKS.has(attribute) || attribute.endsWith('href') || attribute.endsWith('src')
}

const RUNS = /^(?:javascript|vbscript|livescript|mocha):|^data:(?!image\/)/i
const MAY_RUN = /^data:image\/svg/i

/** Whether a link runs code or contains a page. */
export function runsSomething(link: string): boolean {
  return RUNS.test(asBrowsersRead(link))
}

/** Whether a value within the link could run code. */
export function takesNoValue(link: string): boolean {
  const read = asBrowsersRead(link)
  return RUNS.test(read) || MAY_RUN.test(read)
}

/**
 * Without character references and the whitespace and control characters that browsers ignore in a
 * scheme.
 */
function asBrowsersRead(link: string): string {
  return decodeHTMLAttribute(link).replace(/[\p{C}\p{Z}]/gu, '')
}
