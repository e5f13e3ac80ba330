import { decodeHTMLAttribute } from 'entities'
import { appUrl } from '#config/app'
import identityProvider from '#config/identity_provider'
import { htmlRegions, type HtmlRegion } from '#app/notifications/rendering/html_regions'
import {
  type Placeholder,
  parseTemplate,
  placeholdersOf,
} from '#app/notifications/rendering/parse_template'
import { mayBeSecret } from '#app/notifications/values/secret_variables'

/** Elements that send the content of others, or change where it is sent. */
const REDIRECTING = new Set(['base', 'form', 'link'])
/** Style sheets that load resources, such as a font for each digit that occurs. */
const LOADING_STYLE = /@import|@font-face/i
const ENDS_WORD = /[\s<>"'()[\]]/

const trustedOrigins = new Set(
  [appUrl, identityProvider.issuer, identityProvider.publicUrl].map((url) => new URL(url).origin)
)

/**
 * The first placeholder of a system type's body that could carry a secret to another host: in the
 * address of a picture, in a foreign link, in a style. Null when there is none. A secret may
 * appear in text, as a whole link, and in a link to the identity provider or to this service.
 */
export function exposedSecret(html: string): Placeholder | null {
  const secrets = secretsIn(html)
  if (secrets.length === 0) return null
  const regions = htmlRegions(html)
  if (regions.some((region) => sendsElsewhere(region, html))) return secrets[0]
  const standsAlone = wordsOf(html)
  const isOwnLink = linksOf(html)
  let current = 0
  return (
    secrets.find((secret) => {
      while (current < regions.length && regions[current].end <= secret.start) current++
      const region = regions.at(current)
      const isInText = !region || region.start > secret.start || region.kind === 'words'
      return isInText ? !standsAlone(secret) : !isOwnLink(region)
    }) ?? null
  )
}

/** The same for plain text: mail programs make links of addresses there. */
export function exposedInText(text: string): Placeholder | null {
  const standsAlone = wordsOf(text)
  return secretsIn(text).find((secret) => !standsAlone(secret)) ?? null
}

const secretsIn = (source: string) =>
  placeholdersOf(parseTemplate(source)).filter(({ name }) => mayBeSecret(name))

function sendsElsewhere({ kind, element, start, end }: HtmlRegion, html: string) {
  if (REDIRECTING.has(element)) return true
  return kind === 'style' && LOADING_STYLE.test(html.slice(start, end))
}

/**
 * Whether a link leads to no foreign host. Each link is checked once.
 */
function linksOf(html: string) {
  const judged = new Map<HtmlRegion, boolean>()
  return (region: HtmlRegion): boolean => {
    const known = judged.get(region)
    if (known !== undefined) return known
    const isOwn = isLink(region) && leadsHome(html.slice(region.start, region.end).trim())
    judged.set(region, isOwn)
    return isOwn
  }
}

function isLink({ kind, element, attribute }: HtmlRegion) {
  const isAnchor = element === 'a' || element === 'area' || element.startsWith('v:')
  return kind === 'attribute' && attribute === 'href' && isAnchor
}

function leadsHome(link: string) {
  const isWhole = /^\{\{[^{}]*\}\}$/.test(link)
  return isWhole || isTrusted(decodeHTMLAttribute(link.replaceAll(/\{\{[^{}]*\}\}/g, 'x')))
}

/** Whether a placeholder is not part of a foreign address; call in ascending order. */
function wordsOf(source: string) {
  let read = 0
  let word = ''
  let isNew = true
  return ({ start, end }: Placeholder): boolean => {
    for (; read < start; read++) {
      const character = source[read]
      if (ENDS_WORD.test(character)) [word, isNew] = ['', true]
      else word += character
    }
    const address = decodeHTMLAttribute(word)
    const isAddress = /\/\/|^www\./i.test(address)
    const isFine = !isAddress || (isNew && isTrusted(`${address}x`))
    // In the rest of the word, only a further address matters.
    ;[word, isNew, read] = ['', false, end]
    return isFine
  }
}

function isTrusted(address: string) {
  const url = URL.parse(address)
  return url !== null && trustedOrigins.has(url.origin)
}
