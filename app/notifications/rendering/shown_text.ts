import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5'
import { nodesOf } from '#app/notifications/rendering/body_readings'
import { escapeHtml } from '#app/notifications/rendering/escape'
import { styleInterpretations } from '#app/notifications/rendering/style_interpretations'

type Document = DefaultTreeAdapterTypes.Document
type Element = DefaultTreeAdapterTypes.Element
type ParentNode = DefaultTreeAdapterTypes.ParentNode

const names = (text: string) => new Set(text.split(' '))

// Mail programs show these on lines of their own. Outlook knows none of the newer ones.
const SEPARATING = names(
  'blockquote br center dd div dl dt h1 h2 h3 h4 h5 h6 head hr li ol p pre table tbody tfoot thead tr ul'
)
// Some mail programs leave these out, others only their tags.
const OFTEN_REMOVED = names(
  'audio button canvas datalist iframe math meter noembed noframes noscript object picture progress select svg textarea title video xmp'
)
// Spaces directly in these are not shown.
const WITHOUT_SPACES = names('colgroup table tbody tfoot thead tr')

const DISPLAY = /display\s*:\s*([\w-]+)/gi
const SEPARATING_DISPLAYS = names('block flex grid list-item table table-row')
const HIDES = /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)/i

/**
 * The text of a body, escaped for HTML, with whitespace only where all browsers and mail programs
 * separate it.
 */
export function shownText(document: Document): string {
  const elements = [...nodesOf(document)].filter(defaultTreeAdapter.isElementNode)
  const areBlocksInline = elements.some((element) => !keepsBlocks(sheetOf(element)))
  const parts: string[] = []
  const add = (node: ParentNode, isRemoved: boolean) => {
    for (const child of node.childNodes) {
      if (defaultTreeAdapter.isTextNode(child)) {
        const keepsSpaces = !isRemoved && !WITHOUT_SPACES.has(node.nodeName)
        const text = escapeHtml(child.value)
        parts.push(keepsSpaces ? text : text.replaceAll(/[ \t\n\r\f]/g, ''))
      } else if (defaultTreeAdapter.isElementNode(child) && child.tagName !== 'style') {
        const isChildRemoved = isRemoved || mayBeRemoved(child)
        const edge = !isChildRemoved && !areBlocksInline && separates(child) ? '\n' : ''
        parts.push(edge)
        add(child, isChildRemoved)
        parts.push(edge)
      }
    }
  }
  add(document, false)
  return parts.join('')
}

const mayBeRemoved = (element: Element) =>
  OFTEN_REMOVED.has(element.tagName) ||
  attributeOf(element, 'hidden') !== undefined ||
  styleInterpretations(styleOf(element)).some((reading) => HIDES.test(reading))

const separates = (element: Element) =>
  SEPARATING.has(element.tagName) && keepsBlocks(styleOf(element))

/** Whether what separates without a style also does with it. */
const keepsBlocks = (css: string) =>
  styleInterpretations(css).every((reading) =>
    reading.matchAll(DISPLAY).every(([, display]) => SEPARATING_DISPLAYS.has(display.toLowerCase()))
  )

const styleOf = (element: Element) => attributeOf(element, 'style') ?? ''

const attributeOf = ({ attrs }: Element, name: string) =>
  attrs.find((attribute) => attribute.name === name)?.value

function sheetOf({ tagName, childNodes }: Element): string {
  if (tagName !== 'style') return ''
  return childNodes
    .filter(defaultTreeAdapter.isTextNode)
    .map(({ value }) => value)
    .join('')
}
