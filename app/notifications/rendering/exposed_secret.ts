import { decodeHTMLAttribute } from 'entities'
import { isExposingStyle } from '#app/notifications/rendering/exposing_style'
import { htmlRegions, type HtmlRegion } from '#app/notifications/rendering/html_regions'
import {
  type Placeholder,
  type TemplatePart,
  parseTemplate,
  placeholdersOf,
} from '#app/notifications/rendering/parse_template'
import { PLACEHOLDER, keepsSecrets } from '#app/notifications/rendering/secret_address'
import { secretsInAddresses } from '#app/notifications/rendering/secret_words'
import { mayBeSecret } from '#app/notifications/values/secret_variables'

/** Elements that send the content of others, or change where it is sent. */
const REDIRECTING = new Set(['base', 'form', 'link'])
/** Attributes that do so. Only a picture that is always loaded tells nothing: styles decide on the others. */
const SENDING = new Set(['attributionsrc', 'formaction', 'loading', 'ping'])

/**
 * The first placeholder of a system type's body that could carry a secret to another host: in the
 * address of a picture, in a foreign link, in a style. Null when there is none. A secret may
 * appear in text, as a whole link, and in a link to the identity provider's login pages.
 */
export function exposedSecret(html: string): Placeholder | null {
  const parts = parseTemplate(html)
  const secrets = secretsIn(parts)
  if (secrets.length === 0) return null
  const regions = htmlRegions(html)
  if (regions.some((region) => sendsElsewhere(region, html))) return secrets[0]
  const inAddresses = new Set(secretsInAddresses(parts))
  const isOwnLink = linksOf(html)
  let current = 0
  return (
    secrets.find((secret) => {
      while (current < regions.length && regions[current].end <= secret.start) current++
      const region = regions.at(current)
      const isInText = !region || region.start > secret.start || region.kind === 'words'
      return isInText ? inAddresses.has(secret) : !isOwnLink(region)
    }) ?? null
  )
}

/** The same for everything of a version that is sent. */
export function exposedInVersion(version: {
  subjectTemplate: string
  inlinedBody: string
  textTemplate: string
}): { secret: Placeholder; field: 'subjectTemplate' | 'bodyTemplate' } | null {
  const inSubject = exposedInText(version.subjectTemplate)
  if (inSubject !== null) return { secret: inSubject, field: 'subjectTemplate' }
  const inBody = exposedSecret(version.inlinedBody) ?? exposedInText(version.textTemplate)
  return inBody && { secret: inBody, field: 'bodyTemplate' }
}

/** The same for plain text and subjects: mail programs make links of addresses there. */
export function exposedInText(text: string): Placeholder | null {
  return secretsInAddresses(parseTemplate(text)).at(0) ?? null
}

const secretsIn = (parts: TemplatePart[]) =>
  placeholdersOf(parts).filter(({ name }) => mayBeSecret(name))

function sendsElsewhere({ kind, element, attribute, start, end }: HtmlRegion, html: string) {
  if (REDIRECTING.has(element)) return true
  if (kind === 'style') return isExposingStyle(html.slice(start, end))
  if (attribute === 'style') return isExposingStyle(decodeHTMLAttribute(html.slice(start, end)))
  return attribute !== undefined && SENDING.has(attribute)
}

/**
 * Whether a link keeps the secrets in it. Each link is checked once.
 */
function linksOf(html: string) {
  const judged = new Map<HtmlRegion, boolean>()
  return (region: HtmlRegion): boolean => {
    const known = judged.get(region)
    if (known !== undefined) return known
    const isOwn = isLink(region) && isKept(html.slice(region.start, region.end).trim())
    judged.set(region, isOwn)
    return isOwn
  }
}

function isLink({ kind, element, attribute }: HtmlRegion) {
  const isAnchor = element === 'a' || element === 'area' || element.startsWith('v:')
  return kind === 'attribute' && attribute === 'href' && isAnchor
}

function isKept(link: string) {
  const isWhole = /^\{\{[^{}]*\}\}$/.test(link)
  const address = decodeHTMLAttribute(link.replaceAll(/\{\{[^{}]*\}\}/g, PLACEHOLDER))
  return isWhole || keepsSecrets(address)
}
