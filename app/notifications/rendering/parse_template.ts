import { TemplateSyntax } from '#app/notifications/exceptions'
import { isPath } from '#app/notifications/rendering/data_path'

export interface Placeholder {
  name: string
  /** Where it stands in the source, `end` exclusive. */
  start: number
  end: number
}

/** Static text, or a placeholder for a value. */
export type TemplatePart = string | Placeholder

/** Longest placeholder with its braces. */
const MAX_PLACEHOLDER_LENGTH = 256

/**
 * Takes a template apart. Only text and plain placeholders are accepted, so a template can neither
 * run nor loop over anything. One pass, whatever the input.
 *
 * @throws TemplateSyntax with the line
 */
export function parseTemplate(source: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let textFrom = 0
  for (let start = source.indexOf('{{'); start !== -1; start = source.indexOf('{{', textFrom)) {
    const placeholder = readPlaceholder(source, start)
    if (start > textFrom) parts.push(source.slice(textFrom, start))
    parts.push(placeholder)
    textFrom = placeholder.end
  }
  if (textFrom < source.length) parts.push(source.slice(textFrom))
  return parts
}

function readPlaceholder(source: string, start: number): Placeholder {
  const end = source.indexOf('}}', start + 2) + 2
  if (end === 1) throw new TemplateSyntax('A placeholder is not closed', lineAt(source, start))
  const name = end - start > MAX_PLACEHOLDER_LENGTH ? '' : source.slice(start + 2, end - 2).trim()
  if (!isPath(name)) throw notPlain(source, start)
  return { name, start, end }
}

export function placeholdersOf(parts: TemplatePart[]): Placeholder[] {
  return parts.filter((part) => typeof part !== 'string')
}

/** The line of a position in a text, counted from 1. */
export function lineAt(source: string, position: number): number {
  let line = 1
  for (let at = source.indexOf('\n'); at !== -1 && at < position; at = source.indexOf('\n', at + 1))
    line++
  return line
}

function notPlain(source: string, position: number) {
  return new TemplateSyntax(
    'Only plain placeholders such as {{name}} or {{order.number}} may stand in a template',
    lineAt(source, position)
  )
}
