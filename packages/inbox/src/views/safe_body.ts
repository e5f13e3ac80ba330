import { trustedHtml } from '../trusted.ts'

/**
 * The service has made the fragment safe. This rebuilds it from what is listed here, so that
 * nothing else reaches the page, whatever arrives.
 */

const ELEMENTS = new Set(
  (
    'p div h1 h2 h3 h4 h5 h6 blockquote pre hr ul ol li dl dt dd ' +
    'a b i u s em strong small sub sup code kbd span br img ' +
    'table caption thead tbody tfoot tr th td'
  ).split(' ')
)
/** Left out with everything in them; other elements only lose their tags. */
const DROPPED = new Set(
  'script style title template noscript iframe object svg math textarea select form'.split(' ')
)
const CELL = ['colspan', 'rowspan', 'scope']
const ATTRIBUTES: Record<string, string[]> = {
  img: ['alt', 'width', 'height'],
  ol: ['start'],
  td: CELL,
  th: CELL,
}
/** A cell counts once more for each place of its table that it covers. */
const MAX_ELEMENTS = 5_000
const MAX_DEPTH = 64

/** @returns null if the page's policy forbids parsing HTML */
export function safeBody(html: string): DocumentFragment | null {
  const parsed = parse(html)
  if (!parsed) return null
  let left = MAX_ELEMENTS
  const copy = (from: Node, to: Node, depth: number) => {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        to.appendChild(document.createTextNode(node.nodeValue ?? ''))
      } else if (node.nodeType === Node.ELEMENT_NODE && left-- > 0 && depth < MAX_DEPTH) {
        const element = node as Element
        if (DROPPED.has(element.localName)) continue
        const copied: Node & { colSpan?: number; rowSpan?: number } = copyOf(element, to)
        // A cell that spans 0 rows spans all that follow.
        const places = (copied.colSpan ?? 0) * (copied.rowSpan || 1_000)
        if (places > left) copied.colSpan = copied.rowSpan = 1
        else left -= places
        copy(element, copied, depth + 1)
      }
    }
  }
  const fragment = document.createDocumentFragment()
  try {
    copy(parsed.body, fragment, 0)
  } catch {
    // Forms can hide their properties behind the names of their fields.
    return null
  }
  return fragment
}

/** The element in its new parent; the parent itself if only the content remains. */
function copyOf(element: Element, parent: Node): Node {
  const name = element.localName
  if (!ELEMENTS.has(name)) return parent
  const copy = document.createElement(name)
  for (const attribute of ATTRIBUTES[name] ?? []) {
    const value = element.getAttribute(attribute)
    if (value !== null) copy.setAttribute(attribute, value)
  }
  if (copy instanceof HTMLAnchorElement) makeLink(copy, element.getAttribute('href'))
  if (copy instanceof HTMLImageElement && !showPicture(copy, element.getAttribute('src'))) {
    return parent.appendChild(document.createTextNode(copy.alt)) && parent
  }
  return parent.appendChild(copy)
}

function makeLink(link: HTMLAnchorElement, href: string | null) {
  const address = linkAddress(href, /^(https?|mailto|tel|sms):$/)
  if (!address) return
  link.href = address
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

function showPicture(picture: HTMLImageElement, source: string | null): boolean {
  const address = linkAddress(source, /^https:$/)
  if (!address) return false
  picture.loading = 'lazy'
  picture.referrerPolicy = 'no-referrer'
  picture.alt ||= ''
  picture.src = address
  return true
}

/** The absolute address, if its scheme is allowed; else null. */
export function linkAddress(href: string | null, schemes = /^https?:$/): string | null {
  if (!href || !URL.canParse(href)) return null
  const { protocol, href: address } = new URL(href)
  return schemes.test(protocol) ? address : null
}

/** Parses without a browsing context: nothing loads or runs. */
function parse(html: string): Document | null {
  try {
    return new DOMParser().parseFromString(trustedHtml(html), 'text/html')
  } catch {
    return null
  }
}
