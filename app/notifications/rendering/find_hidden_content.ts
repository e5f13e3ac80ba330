import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'
import { TemplateTooComplex } from '#app/notifications/exceptions'
import {
  type ActiveContent,
  describeActiveElement,
} from '#app/notifications/rendering/active_content'
import { CONDITIONAL_COMMENT, htmlRegions } from '#app/notifications/rendering/html_regions'
import { isDocument } from '#app/notifications/rendering/layout'

const LAYOUT_BEFORE = '<!doctype html><body><table><tr><td>'

/**
 * Finds the first active content or tag that `htmlRegions` misses but browsers see. For example,
 * browsers read the content of `<style>` in a `<select>` as tags. @throws TemplateTooComplex
 */
export function findHiddenContent(html: string): ActiveContent | null {
  const tags = new Set<number>()
  for (const { kind, element, start } of htmlRegions(html)) {
    if (kind === 'markup' && element !== '') tags.add(start)
  }
  const { found, conditional } = searchDocument(html, tags)
  if (found !== null || conditional.length === 0) return found
  return searchDocument(uncomment(html, conditional), tags).found
}

// Browsers nest no deeper, and parsing takes time in proportion.
const MAX_DEPTH = 512
// Parsers repeat unclosed formatting elements in every paragraph.
const MAX_ELEMENTS = 100_000

type Node = DefaultTreeAdapterTypes.Node
interface Range {
  start: number
  end: number
}

function searchDocument(html: string, tags: Set<number>) {
  const before = isDocument(html) ? '' : LAYOUT_BEFORE
  const conditional: Range[] = []
  const nodes: Node[] = [
    parse(before + html, { sourceCodeLocationInfo: true, treeAdapter: boundedTree() }),
  ]
  let found: ActiveContent | null = null
  while (found === null && nodes.length > 0) {
    const node = nodes.pop()!
    const place = node.sourceCodeLocation
    const start = (place?.startOffset ?? 0) - before.length
    if (defaultTreeAdapter.isCommentNode(node)) {
      const end = (place?.endOffset ?? 0) - before.length
      if (html.startsWith('<!--', start) && CONDITIONAL_COMMENT.test(node.data)) {
        conditional.push({ start, end })
      }
    } else if (defaultTreeAdapter.isElementNode(node)) {
      const isHidden = place && start >= 0 && !tags.has(start)
      const what = describeActive(node) ?? (isHidden ? `a hidden <${node.tagName}>` : null)
      if (what !== null) found = { what, position: Math.max(start, 0) }
    }
    if ('childNodes' in node) {
      for (let index = node.childNodes.length; index > 0; index--) {
        nodes.push(node.childNodes[index - 1])
      }
    }
  }
  return { found, conditional }
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

function describeActive(element: DefaultTreeAdapterTypes.Element): string | null {
  const { tagName, attrs, childNodes } = element
  const attributes = attrs.map(({ prefix, name, value }) => ({
    name: prefix ? `${prefix}:${name}` : name,
    value,
  }))
  const texts = tagName === 'style' ? childNodes.filter(defaultTreeAdapter.isTextNode) : []
  return describeActiveElement(tagName, attributes, texts.map(({ value }) => value).join(''))
}

/** Replaces the comments with their content and keeps all positions. */
function uncomment(html: string, comments: Range[]): string {
  let text = ''
  let at = 0
  for (const { start, end } of comments) {
    const isClosed = html.startsWith('-->', end - 3)
    text += `${html.slice(at, start)}    ${html.slice(start + 4, isClosed ? end - 3 : end)}`
    if (isClosed) text += '  >'
    at = end
  }
  return text + html.slice(at)
}
