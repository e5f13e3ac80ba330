import { decodeHTMLAttribute } from 'entities'
import { readBody, readingsOf } from '#app/notifications/rendering/body_readings'
import { isLeakyStyle } from '#app/notifications/rendering/is_leaky_style'
import { htmlRegions, type HtmlRegion } from '#app/notifications/rendering/html_regions'
import { markPlaceholders } from '#app/notifications/rendering/mark_placeholders'
import {
  type Placeholder,
  type TemplatePart,
  parseTemplate,
  placeholdersOf,
} from '#app/notifications/rendering/parse_template'
import { VALUE_MARK, keepsSecrets } from '#app/notifications/rendering/secret_address'
import { findSecretsInAddresses } from '#app/notifications/rendering/find_secrets_in_addresses'
import { shownText } from '#app/notifications/rendering/shown_text'
import { mayBeSecret } from '#app/notifications/values/secret_variables'

// Elements that submit content or change where it goes.
const SENDING_ELEMENTS = new Set(['base', 'form', 'link'])
// `loading` is included because styles decide whether a lazy image is loaded.
const SENDING_ATTRIBUTES = new Set(['attributionsrc', 'formaction', 'loading', 'ping'])

/**
 * Finds the first exposed secret (notifications.md#secrets-in-system-templates).
 * @throws TemplateTooComplex
 */
export function findExposedSecretInHtml(html: string): Placeholder | null {
  if (secretsIn(parseTemplate(html)).length === 0) return null
  for (const reading of readingsOf(html)) {
    const found = findInMarkup(reading.html) ?? findInShownText(reading.html)
    if (found !== null) return found
  }
  return null
}

function findInMarkup(html: string): Placeholder | null {
  const parts = parseTemplate(html)
  const secrets = secretsIn(parts)
  const regions = htmlRegions(html)
  if (regions.some((region) => canSendContent(region, html))) return secrets[0]
  const inAddresses = new Set(findSecretsInAddresses(parts))
  const isSafeLink = safeLinkChecker(html)
  let current = 0
  return (
    secrets.find((secret) => {
      while (current < regions.length && regions[current].end <= secret.start) current++
      const region = regions.at(current)
      const isInText = !region || region.start > secret.start || region.kind === 'rcdata'
      return isInText ? inAddresses.has(secret) : !isSafeLink(region)
    }) ?? null
  )
}

/** Tags need not separate what browsers and mail programs show. */
function findInShownText(html: string): Placeholder | null {
  const marked = markPlaceholders(html)
  const text = shownText(readBody(marked.html).document)
  return findSecretsInAddresses(marked.partsOf(text)).at(0) ?? null
}

/** @throws TemplateTooComplex */
export function findExposedSecretInVersion(version: {
  subjectTemplate: string
  inlinedBody: string
  textTemplate: string
}): { secret: Placeholder; field: 'subjectTemplate' | 'bodyTemplate' } | null {
  const inSubject = findExposedSecretInText(version.subjectTemplate)
  if (inSubject !== null) return { secret: inSubject, field: 'subjectTemplate' }
  const inBody =
    findExposedSecretInHtml(version.inlinedBody) ?? findExposedSecretInText(version.textTemplate)
  return inBody && { secret: inBody, field: 'bodyTemplate' }
}

export function findExposedSecretInText(text: string): Placeholder | null {
  return findSecretsInAddresses(parseTemplate(text)).at(0) ?? null
}

const secretsIn = (parts: TemplatePart[]) =>
  placeholdersOf(parts).filter(({ name }) => mayBeSecret(name))

function canSendContent({ kind, element, attribute, start, end }: HtmlRegion, html: string) {
  if (SENDING_ELEMENTS.has(element)) return true
  if (kind === 'style') return isLeakyStyle(html.slice(start, end))
  if (attribute === 'style') return isLeakyStyle(decodeHTMLAttribute(html.slice(start, end)))
  return attribute !== undefined && SENDING_ATTRIBUTES.has(attribute)
}

function safeLinkChecker(html: string) {
  const checked = new Map<HtmlRegion, boolean>()
  return (region: HtmlRegion): boolean => {
    const known = checked.get(region)
    if (known !== undefined) return known
    const isSafe = isLink(region) && isSafeTarget(html.slice(region.start, region.end).trim())
    checked.set(region, isSafe)
    return isSafe
  }
}

function isLink({ kind, element, attribute }: HtmlRegion) {
  const isAnchor = element === 'a' || element === 'area' || element.startsWith('v:')
  return kind === 'attribute' && attribute === 'href' && isAnchor
}

function isSafeTarget(link: string) {
  const isWhole = /^\{\{[^{}]*\}\}$/.test(link)
  // The value of another variable could add parameters.
  const hasOtherValue = placeholdersOf(parseTemplate(link)).some(({ name }) => !mayBeSecret(name))
  if (hasOtherValue) return false
  const address = decodeHTMLAttribute(link.replaceAll(/\{\{[^{}]*\}\}/g, VALUE_MARK))
  return isWhole || keepsSecrets(address)
}
