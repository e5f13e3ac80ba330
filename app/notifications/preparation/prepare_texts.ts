import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import { compileVersion } from '#app/notifications/rendering/compile_version'
import { parseTemplate, placeholdersOf } from '#app/notifications/rendering/parse_template'
import { prepareBody, type PreparedBody } from '#app/notifications/rendering/prepare_body'

export interface VersionTexts {
  subjectTemplate: string
  bodyTemplate: string
}

export interface PreparedTexts {
  names: string[]
  fields: VersionTexts & PreparedBody
}

/** For trusted texts only; others go through `PreparationPool`. @throws TemplateSyntax */
export function prepareTexts(texts: VersionTexts): PreparedTexts {
  const names = placeholderNames(texts)
  const prepared = inField('bodyTemplate', () => prepareBody(texts.bodyTemplate))
  const fields = { ...texts, ...prepared }
  compileVersion({ ...fields, locale: '' })
  return { names, fields }
}

function placeholderNames({ subjectTemplate, bodyTemplate }: VersionTexts): string[] {
  const parts = [
    ...inField('subjectTemplate', () => parseTemplate(subjectTemplate)),
    ...inField('bodyTemplate', () => parseTemplate(bodyTemplate)),
  ]
  return [...new Set(placeholdersOf(parts).map(({ name }) => name))]
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
