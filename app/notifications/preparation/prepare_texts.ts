import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import { compileVersion } from '#app/notifications/rendering/compile_version'
import { parseTemplate } from '#app/notifications/rendering/parse_template'
import { prepareBody, type PreparedBody } from '#app/notifications/rendering/prepare_body'

export interface VersionTexts {
  subjectTemplate: string
  bodyTemplate: string
}

export type PreparedTexts = VersionTexts & PreparedBody

/** For trusted texts only; others go through `PreparationPool`. @throws TemplateSyntax */
export function prepareTexts(texts: VersionTexts): PreparedTexts {
  inField('subjectTemplate', () => parseTemplate(texts.subjectTemplate))
  inField('bodyTemplate', () => parseTemplate(texts.bodyTemplate))
  const prepared = inField('bodyTemplate', () => prepareBody(texts.bodyTemplate))
  const fields = { ...texts, ...prepared }
  compileVersion({ ...fields, locale: '' })
  return fields
}

function inField<T>(field: keyof VersionTexts, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof TemplateSyntax || error instanceof TemplateTooComplex) {
      error.details.field = field
    }
    throw error
  }
}
