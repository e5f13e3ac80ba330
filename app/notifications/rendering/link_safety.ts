import { decodeHTMLAttribute } from 'entities'

const URL_ATTRIBUTES = new Set(
  'action background cite classid codebase data formaction longdesc manifest ping poster'.split(' ')
)

export function isUrlAttribute(attribute: string): boolean {
  return URL_ATTRIBUTES.has(attribute) || attribute.endsWith('href') || attribute.endsWith('src')
}

const RUNS_CODE = /^(?:javascript|vbscript|livescript|mocha):|^data:(?!image\/)/i
const MAY_RUN_CODE = /^data:image\/svg/i

export function canRunCode(link: string): boolean {
  return RUNS_CODE.test(normalizeLink(link))
}

export function canRunCodeWithValue(link: string): boolean {
  const normalized = normalizeLink(link)
  return RUNS_CODE.test(normalized) || MAY_RUN_CODE.test(normalized)
}

function normalizeLink(link: string): string {
  return decodeHTMLAttribute(link).replace(/[\p{C}\p{Z}]/gu, '')
}
