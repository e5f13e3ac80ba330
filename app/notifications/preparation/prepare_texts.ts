import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import { compileVersion } from '#app/notifications/rendering/compiled_version'
import { parseTemplate, placeholdersOf } from '#app/notifications/rendering/parse_template'
import { prepareBody, type PreparedBody } from '#app/notifications/rendering/prepare_body'

export interface VersionTexts {
  subjectTemplate: string
  bodyTemplate: string
}

/** Everything of a version that is made of its texts. */
export interface PreparedTexts {
  /** Of all placeholders. */
  names: string[]
  fields: VersionTexts & PreparedBody
}

/**
 * Takes any time and memory: texts that somebody sent go through `PreparationPool`.
 *
 * @throws TemplateSyntax, TemplateTooComplex
 */
export function prepareTexts(texts: VersionTexts): PreparedTexts {
  const names = namesIn(texts)
  const prepared = naming('bodyTemplate', () => prepareBody(texts.bodyTemplate))
  const fields = { ...texts, ...prepared }
  compileVersion({ ...fields, locale: '' })
  return { names, fields }
}

function namesIn({ subjectTemplate, bodyTemplate }: VersionTexts): string[] {
  const parts = [
    ...naming('subjectTemplate', () => parseTemplate(subjectTemplate)),
    ...naming('bodyTemplate', () => parseTemplate(bodyTemplate)),
  ]
  return [...new Set(placeholdersOf(parts).map(({ name }) => name))]
}

/** Says in an error which field of the request it is about. */
function naming<T>(field: keyof VersionTexts, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof TemplateSyntax || error instanceof TemplateTooComplex) {
      error.details.field = field
    }
    throw error
  }
}
