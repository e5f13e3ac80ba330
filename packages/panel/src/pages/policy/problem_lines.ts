import { LineCounter, isMap, isNode, isPair, isSeq, parseDocument } from 'yaml'

/**
 * The line of a place in a document, such as `roles.2.permissions.0.permission`, counted from 1. If
 * the place does not exist, because a field is missing, it is that of what should contain it.
 */
export function lineOf(text: string, place: string): number {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, logLevel: 'silent' })
  let node: unknown = document.contents
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0
  for (const name of place.split('.').filter(Boolean)) {
    const next = childOf(node, name)
    if (next === null) break
    offset = next.offset
    node = next.node
  }
  return counter.linePos(offset).line
}

function childOf(node: unknown, name: string): { node: unknown; offset: number } | null {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isNode(key) && String(key) === name)
    if (!isPair(pair) || !isNode(pair.key)) return null
    return { node: pair.value, offset: pair.key.range?.[0] ?? 0 }
  }
  const item = isSeq(node) ? node.items[Number(name)] : undefined
  return isNode(item) ? { node: item, offset: item.range?.[0] ?? 0 } : null
}
