import { RenderedTooLarge, TemplateSyntax } from '#app/notifications/exceptions'
import type TemplateVersion from '#app/notifications/models/template_version'
import { plainText } from '#app/notifications/rendering/escape'
import { isDocument } from '#app/notifications/rendering/layout'
import {
  lineAt,
  parseTemplate,
  type Placeholder,
  type TemplatePart,
} from '#app/notifications/rendering/parse_template'
import { MAX_RENDERED_LENGTH, type Segment, type Slot } from '#app/notifications/rendering/render'
import { ESCAPES, contextFinder } from '#app/notifications/rendering/value_context'

export interface CompiledVersion {
  locale: string
  subject: Segment[]
  html: Segment[]
  text: Segment[]
  isDocument: boolean
  size: number
}

// Allows for placeholders that are longer than their values.
const MAX_COMPILED_LENGTH = 2 * MAX_RENDERED_LENGTH

type Sources = Pick<TemplateVersion, 'locale' | 'subjectTemplate' | 'inlinedBody' | 'textTemplate'>

/** @throws TemplateSyntax, RenderedTooLarge */
export function compileVersion(version: Sources): CompiledVersion {
  const { locale, subjectTemplate, inlinedBody, textTemplate } = version
  const longest = Math.max(subjectTemplate.length, inlinedBody.length, textTemplate.length)
  if (longest > MAX_COMPILED_LENGTH) throw new RenderedTooLarge()
  return {
    locale,
    subject: compileText(subjectTemplate),
    html: compileHtml(inlinedBody),
    text: compileText(textTemplate),
    isDocument: isDocument(inlinedBody),
    size: subjectTemplate.length + inlinedBody.length + textTemplate.length,
  }
}

function compileText(source: string): Segment[] {
  return toSegments(parseTemplate(source), () => plainText)
}

function compileHtml(source: string): Segment[] {
  const contextAt = contextFinder(source)
  return toSegments(parseTemplate(source), ({ name, start }) => {
    const context = contextAt(start)
    if (context === null) {
      throw new TemplateSyntax(
        `{{${name}}} must not be used inside a tag, in a script or as the scheme of a link`,
        lineAt(source, start)
      )
    }
    return ESCAPES[context]
  })
}

function toSegments(
  parts: TemplatePart[],
  chooseEscape: (placeholder: Placeholder) => Slot['escape']
): Segment[] {
  const slots = new Map<Slot['escape'], Map<string, Slot>>()
  return parts.map((part) => {
    if (typeof part === 'string') return part
    const { name } = part
    const escape = chooseEscape(part)
    const known = slots.get(escape) ?? new Map<string, Slot>()
    slots.set(escape, known)
    const slot = known.get(name) ?? { name, path: name.split('.'), escape }
    known.set(name, slot)
    return slot
  })
}
