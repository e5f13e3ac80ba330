import { TemplateSyntax } from '#app/notifications/exceptions'
import { isDataPath } from '#app/notifications/rendering/data_path'

/** A section begins with `{{#name}}` or, inverted, with `{{^name}}`, and ends with `{{/name}}`. */
export type PlaceholderKind = 'value' | 'section' | 'inverted' | 'end'

export interface Placeholder {
  kind: PlaceholderKind
  /** A path in the data */
  name: string
  start: number
  end: number
}

export type TemplatePart = string | Placeholder

const MAX_PLACEHOLDER_LENGTH = 256
/** Of sections in one another. */
const MAX_DEPTH = 4

const KINDS: Record<string, PlaceholderKind> = { '#': 'section', '^': 'inverted', '/': 'end' }
const SIGILS: Record<PlaceholderKind, string> = { value: '', section: '#', inverted: '^', end: '/' }

/**
 * Accepts only text, plain placeholders and complete sections, in linear time.
 * @throws TemplateSyntax
 */
export function parseTemplate(source: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  const open: Placeholder[] = []
  let textFrom = 0
  for (let start = source.indexOf('{{'); start !== -1; start = source.indexOf('{{', textFrom)) {
    const placeholder = readPlaceholder(source, start)
    if (placeholder.kind !== 'value') follow(placeholder, open, source)
    if (start > textFrom) parts.push(source.slice(textFrom, start))
    parts.push(placeholder)
    textFrom = placeholder.end
  }
  const [unclosed] = open
  if (unclosed) throw misplaced(`${sourceOf(unclosed)} is not closed`, unclosed, source)
  if (textFrom < source.length) parts.push(source.slice(textFrom))
  return parts
}

/** The placeholder in its plain form. */
export const sourceOf = ({ kind, name }: Placeholder) => `{{${SIGILS[kind]}${name}}}`

function follow(tag: Placeholder, open: Placeholder[], source: string) {
  if (tag.kind !== 'end') {
    if (open.push(tag) > MAX_DEPTH) {
      throw misplaced(`Sections can be ${MAX_DEPTH} levels deep at most`, tag, source)
    }
    return
  }
  const begun = open.pop()
  if (begun?.name === tag.name) return
  const expected = begun ? `: ${sourceOf(begun)} is still open` : ''
  throw misplaced(`${sourceOf(tag)} closes no section${expected}`, tag, source)
}

const misplaced = (detail: string, { start }: Placeholder, source: string) =>
  new TemplateSyntax(detail, lineAt(source, start))

function readPlaceholder(source: string, start: number): Placeholder {
  const end = source.indexOf('}}', start + 2) + 2
  if (end === 1) throw new TemplateSyntax('A placeholder is not closed', lineAt(source, start))
  const text = end - start > MAX_PLACEHOLDER_LENGTH ? '' : source.slice(start + 2, end - 2).trim()
  const kind = KINDS[text.charAt(0)] ?? 'value'
  const name = kind === 'value' ? text : text.slice(1).trim()
  if (!isDataPath(name)) throw invalidPlaceholder(source, start)
  return { kind, name, start, end }
}

/** Also those that begin and end sections. */
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
    'A template can contain only plain placeholders, such as {{name}} or {{order.number}}, and sections, such as {{#items}} … {{/items}}',
    lineAt(source, position)
  )
}
