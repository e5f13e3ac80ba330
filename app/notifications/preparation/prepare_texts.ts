import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import { compileVersion } from '#app/notifications/rendering/compiled_version'
import { parseTemplate, placeholdersOf } from '#app/notifications/rendering/parse_template'
import { prepareBody, type PreparedBody } from '#app/notifications/rendering/prepare_body'

export interface VersionTexts {
  subjectTemplate: string
  bodyTemplate: string
}

/** Everything in a version that is derived from its texts. */
export interface PreparedTexts {
  /** The names of all placeholders. */
  names: string[]
  fields: VersionTexts & PreparedBody
}

/**
 * Can take any amount of time and memory, so texts from users go through `PreparationPool`.
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

/** Adds the field of the request to an error. */
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
