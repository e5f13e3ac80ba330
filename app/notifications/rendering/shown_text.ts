import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5'
import { nodesOf } from '#app/notifications/rendering/body_readings'
import { escapeHtml } from '#app/notifications/rendering/escape'
import { isPlainSheet, isPlainStyle } from '#app/notifications/rendering/plain_styles'

type Document = DefaultTreeAdapterTypes.Document
type Element = DefaultTreeAdapterTypes.Element
type ParentNode = DefaultTreeAdapterTypes.ParentNode

const names = (text: string) => new Set(text.split(' '))

// Mail programs show these on lines of their own. Outlook knows none of the newer ones.
const SEPARATING = names(
  'blockquote br center dd div dl dt h1 h2 h3 h4 h5 h6 head hr li ol p pre table tbody tfoot thead tr ul'
)
// Mail programs show what is in these. Of all others, some remove the content, or hide it.
const SHOWN = names(
  'a abbr article aside b big body caption cite code del em figcaption figure font footer header html i ins kbd main nav nobr s samp section small span strike strong sub sup td th tt u var'
)
// Spaces directly in these are not shown.
const WITHOUT_SPACES = names('colgroup table tbody tfoot thead tr')

// Outlook leaves out what is between these two, whether or not they look like comments.
const CONDITION_BEGINS = /^\s*\[if\b/i
const CONDITION_ENDS = /\[endif\]/i

/**
 * The text of a body, escaped for HTML, with whitespace only where all browsers and mail programs
 * separate it.
 */
export function shownText(document: Document): string {
  const sheets = [...nodesOf(document)].filter(defaultTreeAdapter.isElementNode).map(sheetOf)
  const parts: string[] = []
  let isConditional = false
  const add = (node: ParentNode, mayVanish: boolean) => {
    for (const child of node.childNodes) {
      if (defaultTreeAdapter.isCommentNode(child)) {
        const begins = CONDITION_BEGINS.test(child.data)
        // A comment with both hides all that is between.
        if (begins !== CONDITION_ENDS.test(child.data)) isConditional = begins
      } else if (defaultTreeAdapter.isTextNode(child)) {
        const keepsSpaces = !mayVanish && !isConditional && !WITHOUT_SPACES.has(node.nodeName)
        const text = escapeHtml(child.value)
        parts.push(keepsSpaces ? text : text.replaceAll(/[ \t\n\r\f]/g, ''))
      } else if (defaultTreeAdapter.isElementNode(child) && child.tagName !== 'style') {
        const mayChildVanish = mayVanish || mayBeHidden(child)
        const isApart = !mayChildVanish && !isConditional && SEPARATING.has(child.tagName)
        parts.push(isApart ? '\n' : '')
        add(child, mayChildVanish)
        parts.push(isApart ? '\n' : '')
      }
    }
  }
  add(document, !sheets.every(isPlainSheet))
  return parts.join('')
}

const mayBeHidden = (element: Element) =>
  !(SEPARATING.has(element.tagName) || SHOWN.has(element.tagName)) ||
  attributeOf(element, 'hidden') !== undefined ||
  attributeOf(element, 'popover') !== undefined ||
  !isPlainStyle(attributeOf(element, 'style') ?? '')

const attributeOf = ({ attrs }: Element, name: string) =>
  attrs.find((attribute) => attribute.name === name)?.value

function sheetOf({ tagName, childNodes }: Element): string {
  if (tagName !== 'style') return ''
  return childNodes
    .filter(defaultTreeAdapter.isTextNode)
    .map(({ value }) => value)
    .join('')
}
