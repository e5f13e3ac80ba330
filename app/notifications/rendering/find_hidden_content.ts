import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5'
import {
  type ActiveContent,
  describeActiveElement,
} from '#app/notifications/rendering/active_content'
import { type BodyReading, nodesOf, readingsOf } from '#app/notifications/rendering/body_readings'
import { htmlRegions } from '#app/notifications/rendering/html_regions'

/**
 * Finds the first active content or tag that `htmlRegions` misses but browsers see. For example,
 * browsers read the content of `<style>` in a `<select>` as tags. @throws TemplateTooComplex
 */
export function findHiddenContent(html: string): ActiveContent | null {
  const tags = new Set<number>()
  for (const { kind, element, start } of htmlRegions(html)) {
    if (kind === 'markup' && element !== '') tags.add(start)
  }
  for (const reading of readingsOf(html)) {
    const found = findInReading(reading, tags)
    if (found !== null) return found
  }
  return null
}

function findInReading({ document, startOf }: BodyReading, tags: Set<number>) {
  for (const node of nodesOf(document)) {
    if (!defaultTreeAdapter.isElementNode(node)) continue
    const start = startOf(node)
    const isHidden = start !== undefined && start >= 0 && !tags.has(start)
    const what = describeActive(node) ?? (isHidden ? `a hidden <${node.tagName}>` : null)
    if (what !== null) return { what, position: Math.max(start ?? 0, 0) }
  }
  return null
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
