import { decodeHTMLAttribute } from 'entities'

const LINKS = new Set(
  'action background cite classid codebase data formaction longdesc manifest ping poster'.split(' ')
)

/**
 * Whether the attribute holds an address: something is loaded from there, or a click leads there.
 */
export function isLink(attribute: string): boolean {
  return LINKS.has(attribute) || attribute.endsWith('href') || attribute.endsWith('src')
}

const RUNS = /^(?:javascript|vbscript|livescript|mocha):|^data:(?!image\/)/i
const MAY_RUN = /^data:image\/svg/i

/** Whether a link runs something, or is a page of its own. */
export function runsSomething(link: string): boolean {
  return RUNS.test(asBrowsersRead(link))
}

/** Whether a value in the middle of the link could run something. */
export function takesNoValue(link: string): boolean {
  const read = asBrowsersRead(link)
  return RUNS.test(read) || MAY_RUN.test(read)
}

/**
 * Without character references, nor the blanks and controls that browsers leave out of a scheme.
 */
function asBrowsersRead(link: string): string {
  return decodeHTMLAttribute(link).replace(/[\p{C}\p{Z}]/gu, '')
}
