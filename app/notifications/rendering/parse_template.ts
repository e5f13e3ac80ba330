import Mustache from 'mustache'
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

type Token = [type: string, value: string, start: number, end: number]

/**
 * Takes a template apart. Mustache reads the syntax; of it only text and plain placeholders are accepted
 * (decisions 4.4), so a template can neither run nor loop over anything.
 *
 * @throws TemplateSyntax with the line
 */
export function parseTemplate(source: string): TemplatePart[] {
  requireClosedTags(source)
  return tokensOf(source).map(([type, value, start, end]) => {
    if (type === 'text') return value
    const name = value.trim()
    if (type !== 'name' || !isPath(name)) throw notPlain(source, start)
    return { name, start, end }
  })
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

/** A writer of its own, because the shared one remembers every template it ever parsed. */
function tokensOf(source: string): Token[] {
  return new Mustache.Writer().parse(source)
}

/** Mustache's search for the end of a tag is quadratic in the blanks before it, so it only ever sees short, closed ones. */
function requireClosedTags(source: string) {
  for (let start = source.indexOf('{{'); start !== -1;) {
    const end = source.indexOf('}}', start + 2)
    if (end === -1) {
      throw new TemplateSyntax('A placeholder is not closed', lineAt(source, start))
    }
    const tag = source.slice(start, Math.min(end + 2, start + MAX_PLACEHOLDER_LENGTH + 1))
    if (tag.length > MAX_PLACEHOLDER_LENGTH || !isPath(tag.slice(2, -2).trim())) {
      throw notPlain(source, start)
    }
    start = source.indexOf('{{', end + 2)
  }
}

function notPlain(source: string, position: number) {
  return new TemplateSyntax(
    'Only plain placeholders such as {{name}} or {{order.number}} may stand in a template',
    lineAt(source, position)
  )
}
