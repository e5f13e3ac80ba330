import { decodeHTMLAttribute } from 'entities'
import { findLowContrast } from '#app/notifications/linting/low_contrast'
import type { Warnings } from '#app/notifications/linting/template_warning'
import { type HtmlRegion, htmlRegions } from '#app/notifications/rendering/html_regions'
import { isUrlAttribute } from '#app/notifications/rendering/link_safety'

const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/i
const STYLE_ADDRESS = /url\(\s*["']?(http:[^)"'\s]*)/gi
const ALT_WITHOUT_VALUE = /\salt(?=[\s/>]|$)/i

/** The declarations of a rule in a style sheet. */
const RULE = /\{[^{}]*/g
const CARD_BACKGROUND = '#ffffff'

interface Image {
  start: number
  hasAlt: boolean
}

/** Finds what is wrong with links and images, in time in proportion to the body. */
export function lintHtml(source: string, warnings: Warnings) {
  const images: Image[] = []
  const behind = backgroundBehind(source)
  for (const region of htmlRegions(source)) {
    const text = source.slice(region.start, region.end)
    if (region.element === 'img') readImage(region, text, images)
    const { attribute, start } = region
    if (region.kind === 'style') {
      lintStyle(text, start, source, warnings)
      for (const [rule] of text.matchAll(RULE)) {
        lintContrast(rule, { element: '', behind: null, position: start, source }, warnings)
      }
    } else if (attribute === 'style') {
      const css = decodeHTMLAttribute(text)
      lintStyle(css, start, source, warnings)
      const { element } = region
      lintContrast(css, { element, behind, position: start, source }, warnings)
    } else if (attribute !== undefined && isUrlAttribute(attribute)) {
      lintAddress(decodeHTMLAttribute(text).trim(), start, source, warnings)
    }
  }
  for (const { start } of images.filter(({ hasAlt }) => !hasAlt)) {
    const detail = 'Without an alt text, readers who do not see the image miss what it shows'
    warnings.add('IMAGE_WITHOUT_ALT', detail, { at: inBody(source, start) })
  }
}

const inBody = (source: string, position: number) => {
  return { field: 'bodyTemplate' as const, source, position }
}

function readImage({ kind, attribute, start }: HtmlRegion, text: string, images: Image[]) {
  if (kind === 'markup' && text.startsWith('<')) images.push({ start, hasAlt: false })
  const image = images.at(-1)
  if (image && (attribute === 'alt' || (kind === 'markup' && ALT_WITHOUT_VALUE.test(text)))) {
    image.hasAlt = true
  }
}

/** The beginning of a placeholder depends on its value. */
function lintAddress(address: string, position: number, source: string, warnings: Warnings) {
  if (address.startsWith('{{') || address.startsWith('#')) return
  const about = { at: inBody(source, position), value: address }
  if (/^http:/i.test(address)) warnings.add('INSECURE_LINK', INSECURE, about)
  else if (/^data:/i.test(address)) {
    warnings.add('EMBEDDED_IMAGE', 'Many mail programs do not show embedded images', about)
  } else if (!HAS_SCHEME.test(address)) {
    warnings.add('RELATIVE_LINK', 'In a mail, a link without https:// leads nowhere', about)
  }
}

/** A mail is a white card, unless its body has another background somewhere. */
const backgroundBehind = (source: string) =>
  /background|bgcolor/i.test(source) ? null : CARD_BACKGROUND

interface Declared {
  element: string
  behind: string | null
  position: number
  source: string
}

function lintContrast(
  css: string,
  { element, behind, position, source }: Declared,
  warnings: Warnings
) {
  const found = findLowContrast(css, element, behind)
  if (found === null) return
  const { text, background, ratio } = found
  // Rounded down, so that 4.49 is not shown as 4.5.
  const shown = `${Math.floor(ratio * 10) / 10}:1`
  warnings.add('LOW_CONTRAST', `The contrast of this text is ${shown}, so it is hard to read`, {
    at: inBody(source, position),
    value: `${text} on ${background} (${shown})`,
  })
}

const INSECURE = 'The address begins with http, so others can read and change what is loaded'

function lintStyle(css: string, position: number, source: string, warnings: Warnings) {
  for (const [, address] of css.matchAll(STYLE_ADDRESS)) {
    warnings.add('INSECURE_LINK', INSECURE, { at: inBody(source, position), value: address })
  }
}
