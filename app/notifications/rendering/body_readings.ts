import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'
import { TemplateTooComplex } from '#app/notifications/exceptions'
import { CONDITIONAL_COMMENT } from '#app/notifications/rendering/html_regions'
import { isDocument } from '#app/notifications/rendering/layout'

const LAYOUT_BEFORE = '<!doctype html><body><table><tr><td>'

// Browsers nest no deeper, and parsing takes time in proportion.
const MAX_DEPTH = 512
// Parsers repeat unclosed formatting elements in every paragraph.
const MAX_ELEMENTS = 100_000

type Node = DefaultTreeAdapterTypes.Node
interface Range {
  start: number
  end: number
}

export interface BodyReading {
  /** As long as the body, so that positions are the same. */
  html: string
  document: DefaultTreeAdapterTypes.Document
  /** Where a node begins; negative in the layout, undefined if the parser added it. */
  startOf: (node: Node) => number | undefined
}

/**
 * The body as browsers read it and, if it has conditional comments, as Outlook does.
 * @throws TemplateTooComplex
 */
export function* readingsOf(body: string): Generator<BodyReading> {
  const reading = readBody(body)
  yield reading
  const comments = conditionalComments(reading)
  if (comments.length > 0) yield readBody(uncomment(body, comments))
}

/** In the order of the document. */
export function* nodesOf(root: Node): Generator<Node> {
  const nodes = [root]
  while (nodes.length > 0) {
    const node = nodes.pop()!
    yield node
    if (!('childNodes' in node)) continue
    for (let index = node.childNodes.length; index > 0; index--) {
      nodes.push(node.childNodes[index - 1])
    }
  }
}

/** The body as browsers read it. @throws TemplateTooComplex */
export function readBody(html: string): BodyReading {
  const before = isDocument(html) ? '' : LAYOUT_BEFORE
  const options = { sourceCodeLocationInfo: true, treeAdapter: boundedTree() }
  const startOf = ({ sourceCodeLocation: place }: Node) =>
    place ? place.startOffset - before.length : undefined
  return { html, document: parse(before + html, options), startOf }
}

function boundedTree(): typeof defaultTreeAdapter {
  let depth = 0
  let elements = 0
  return {
    ...defaultTreeAdapter,
    onItemPush() {
      if (++depth <= MAX_DEPTH && ++elements <= MAX_ELEMENTS) return
      throw new TemplateTooComplex({ detail: 'The elements of the body are nested too deeply' })
    },
    onItemPop() {
      depth--
    },
  }
}

function conditionalComments({ html, document, startOf }: BodyReading): Range[] {
  const found: Range[] = []
  for (const node of nodesOf(document)) {
    if (!defaultTreeAdapter.isCommentNode(node) || !CONDITIONAL_COMMENT.test(node.data)) continue
    const start = startOf(node) ?? 0
    const { startOffset, endOffset } = node.sourceCodeLocation!
    if (html.startsWith('<!--', start)) found.push({ start, end: start + endOffset - startOffset })
  }
  return found
}

/** Keeps all positions: the ends of the comments become comments without content. */
function uncomment(html: string, comments: Range[]): string {
  let text = ''
  let at = 0
  for (const { start, end } of comments) {
    const isClosed = html.startsWith('-->', end - 3)
    const contentEnd = isClosed ? end - 3 : end
    const [opening] = /^<!--(?:\s*\[[^>]*>)?/.exec(html.slice(start, contentEnd))!
    text += `${html.slice(at, start)}<!${' '.repeat(opening.length - 3)}>`
    text += html.slice(start + opening.length, contentEnd)
    if (isClosed) text += '<!>'
    at = end
  }
  return text + html.slice(at)
}
