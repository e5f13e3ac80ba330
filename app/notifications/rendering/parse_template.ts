import { TemplateSyntax } from '#app/notifications/exceptions'
import { isDataPath } from '#app/notifications/rendering/data_path'

export interface Placeholder {
  name: string
  start: number
  end: number
}

export type TemplatePart = string | Placeholder

const MAX_PLACEHOLDER_LENGTH = 256

/** Accepts only text and plain placeholders, in linear time. @throws TemplateSyntax */
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
  if (!isDataPath(name)) throw invalidPlaceholder(source, start)
  return { name, start, end }
}

export function placeholdersOf(parts: TemplatePart[]): Placeholder[] {
  return parts.filter((part) => typeof part !== 'string')
}

/** The line of a position, counted from 1. */
export function lineAt(source: string, position: number): number {
  let line = 1
  for (let at = source.indexOf('\n'); at !== -1 && at < position; at = source.indexOf('\n', at + 1))
    line++
  return line
}

function invalidPlaceholder(source: string, position: number) {
  return new TemplateSyntax(
    'A template can contain only plain placeholders, such as {{name}} or {{order.number}}',
    lineAt(source, position)
  )
}
