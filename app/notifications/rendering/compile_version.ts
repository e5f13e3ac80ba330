import { lazily } from '#core/values/lazily'
import type { TemplateVersionSchema } from '#database/schema'
import { RenderedTooLarge, TemplateSyntax } from '#app/notifications/exceptions'
import { plainText, plainUrl } from '#app/notifications/rendering/escape'
import { addressEscape } from '#app/notifications/rendering/fragment_addresses'
import {
  MISPLACED,
  findMisplacedSection,
} from '#app/notifications/rendering/find_misplaced_section'
import { isDocument } from '#app/notifications/rendering/layout'
import { markPlaceholders } from '#app/notifications/rendering/mark_placeholders'
import {
  lineAt,
  parseTemplate,
  type Placeholder,
  sourceOf,
  type TemplatePart,
} from '#app/notifications/rendering/parse_template'
import {
  MAX_RENDERED_LENGTH,
  type Section,
  type Segment,
  type Slot,
} from '#app/notifications/rendering/render'
import { safeFragment } from '#app/notifications/rendering/safe_fragment'
import {
  ESCAPES,
  type ValueContext,
  contextFinder,
} from '#app/notifications/rendering/value_context'

export interface CompiledVersion {
  locale: string
  subject: Segment[]
  html: Segment[]
  text: Segment[]
  /** What the inbox shows; null if it cannot be made safe. Prepared on first use. */
  fragment: () => Segment[] | null
  isDocument: boolean
  size: number
}

// Allows for placeholders that are longer than their values.
const MAX_COMPILED_LENGTH = 2 * MAX_RENDERED_LENGTH

/** A hostile body of this length takes a tenth of a second, outside of the preparation threads. */
const MAX_FRAGMENT_SOURCE_LENGTH = 131_072

type Sources = Pick<
  TemplateVersionSchema,
  'locale' | 'subjectTemplate' | 'inlinedBody' | 'textTemplate'
>

/** @throws TemplateSyntax, RenderedTooLarge */
export function compileVersion(version: Sources): CompiledVersion {
  const { locale, subjectTemplate, inlinedBody, textTemplate } = version
  const longest = Math.max(subjectTemplate.length, inlinedBody.length, textTemplate.length)
  if (longest > MAX_COMPILED_LENGTH) throw new RenderedTooLarge()
  const { html, linked } = compileHtml(inlinedBody)
  return {
    locale,
    subject: toSegments(parseTemplate(subjectTemplate), () => plainText),
    html,
    text: compileTextPart(textTemplate, linked),
    fragment: lazily(() => compileFragment(inlinedBody)),
    isDocument: isDocument(inlinedBody),
    size: subjectTemplate.length + inlinedBody.length + textTemplate.length,
  }
}

type ChooseEscape = (context: ValueContext, position: number) => Slot['escape']

/** Also returns the names of the placeholders that links begin with. */
function compileHtml(source: string, chooseEscape: ChooseEscape = (context) => ESCAPES[context]) {
  const misplaced = findMisplacedSection(source)
  if (misplaced !== null) {
    const line = lineAt(source, misplaced.start)
    throw new TemplateSyntax(`${sourceOf(misplaced)} ${MISPLACED}`, line)
  }
  const contextAt = contextFinder(source)
  const linked = new Set<string>()
  const html = toSegments(parseTemplate(source), ({ name, start }) => {
    const context = contextAt(start)
    if (context === null) {
      throw new TemplateSyntax(
        `{{${name}}} must not be used inside a tag, in a script or as the scheme of a link`,
        lineAt(source, start)
      )
    }
    if (context === 'url') linked.add(name)
    return chooseEscape(context, start)
  })
  return { html, linked }
}

/** Made safe before values are inserted, which are escaped as in mails, so only once. */
function compileFragment(body: string): Segment[] | null {
  if (body.length > MAX_FRAGMENT_SOURCE_LENGTH) return null
  try {
    const marked = markPlaceholders(body)
    const fragment = marked.restore(safeFragment(marked.html, marked.begins))
    return compileHtml(fragment, (context, start) => {
      return (context === 'url' && addressEscape(fragment, start)) || ESCAPES[context]
    }).html
  } catch (error) {
    if (error instanceof TemplateSyntax) return null
    throw error
  }
}

const BEGINS_LINK = /\[\s*[^[\]/?#:\s]*$/
const ENDS_SCHEME = /[[\]/?#:\s]/

/** The text part has links in brackets. It leaves out what the body leaves out. */
function compileTextPart(source: string, linked: Set<string>): Segment[] {
  const parts = parseTemplate(source)
  const escapes = new Map<TemplatePart, Slot['escape']>()
  let inLink = false
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      inLink = BEGINS_LINK.test(part) || (inLink && !ENDS_SCHEME.test(part))
    } else if (part.kind === 'value' && inLink && linked.has(part.name)) {
      escapes.set(part, takeBrackets(parts, index) ?? plainUrl)
    }
  }
  return toSegments(parts, (placeholder) => escapes.get(placeholder) ?? plainText)
}

/** If a placeholder is all of a link, its brackets appear only with its value. */
function takeBrackets(parts: TemplatePart[], index: number): Slot['escape'] | null {
  const [before, after] = [parts[index - 1], parts[index + 1]]
  if (typeof before !== 'string' || typeof after !== 'string') return null
  if (!before.endsWith('[') || !after.startsWith(']')) return null
  const isSpaced = before.endsWith(' [')
  parts[index - 1] = before.slice(0, isSpaced ? -2 : -1)
  parts[index + 1] = after.slice(1)
  return isSpaced ? spacedLink : bracketedLink
}

const bracketedLink = (text: string) => plainUrl(text) && `[${plainUrl(text)}]`
const spacedLink = (text: string) => plainUrl(text) && ` [${plainUrl(text)}]`

function toSegments(
  parts: TemplatePart[],
  chooseEscape: (placeholder: Placeholder) => Slot['escape']
): Segment[] {
  const slots = new Map<Slot['escape'], Map<string, Slot>>()
  const slotOf = (placeholder: Placeholder): Slot => {
    const { name } = placeholder
    const escape = chooseEscape(placeholder)
    const known = slots.get(escape) ?? new Map<string, Slot>()
    slots.set(escape, known)
    const slot = known.get(name) ?? { name, path: name.split('.'), escape }
    known.set(name, slot)
    return slot
  }
  const whole: Segment[] = []
  const levels = [whole]
  for (const part of parts) {
    const current = levels.at(-1)!
    if (typeof part === 'string') current.push(part)
    else if (part.kind === 'value') current.push(slotOf(part))
    else if (part.kind === 'end') levels.pop()
    else levels.push(beginSection(part, current))
  }
  return whole
}

/** @returns the segments of the section, which are to be filled */
function beginSection({ name, kind }: Placeholder, current: Segment[]): Segment[] {
  const isInverted = kind === 'inverted'
  const section: Section = { path: name.split('.'), isInverted, segments: [] }
  current.push(section)
  return section.segments
}
