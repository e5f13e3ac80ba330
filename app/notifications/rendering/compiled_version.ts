import { TemplateSyntax } from '#app/notifications/exceptions'
import type TemplateVersion from '#app/notifications/models/template_version'
import { plainText } from '#app/notifications/rendering/escape'
import {
  lineAt,
  parseTemplate,
  type Placeholder,
  type TemplatePart,
} from '#app/notifications/rendering/parse_template'
import type { Segment, Slot } from '#app/notifications/rendering/render'
import { ESCAPES, contextFinder } from '#app/notifications/rendering/value_context'

/** A template version ready to be filled in. */
export interface CompiledVersion {
  locale: string
  subject: Segment[]
  html: Segment[]
  text: Segment[]
  /** The body is a whole document of its own, so no layout goes around it. */
  isDocument: boolean
  /** In characters. */
  size: number
}

type Sources = Pick<
  TemplateVersion,
  'locale' | 'subjectTemplate' | 'bodyTemplate' | 'inlinedBody' | 'textTemplate'
>

/** @throws TemplateSyntax */
export function compileVersion(version: Sources): CompiledVersion {
  const { locale, subjectTemplate, inlinedBody, textTemplate } = version
  return {
    locale,
    subject: compileText(subjectTemplate),
    html: compileHtml(inlinedBody),
    text: compileText(textTemplate),
    isDocument: /<(?:html|body)[\s>]/i.test(inlinedBody),
    size: subjectTemplate.length + inlinedBody.length + textTemplate.length,
  }
}

/** The subject is made one line as a whole, once it is rendered. */
function compileText(source: string): Segment[] {
  return segmentsOf(parseTemplate(source), () => plainText)
}

function compileHtml(source: string): Segment[] {
  const contextAt = contextFinder(source)
  return segmentsOf(parseTemplate(source), ({ name, start }) => {
    const context = contextAt(start)
    if (context === null) {
      throw new TemplateSyntax(
        `{{${name}}} stands where no value is safe: in a tag, a script or the scheme of a link`,
        lineAt(source, start)
      )
    }
    return ESCAPES[context]
  })
}

function segmentsOf(
  parts: TemplatePart[],
  escapeOf: (placeholder: Placeholder) => Slot['escape']
): Segment[] {
  return parts.map((part) =>
    typeof part === 'string'
      ? part
      : { name: part.name, path: part.name.split('.'), escape: escapeOf(part) }
  )
}
