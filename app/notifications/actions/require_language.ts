import { LanguageNotFound } from '#app/platform/exceptions'
import Language from '#app/platform/models/language'

/** @returns its code @throws LanguageNotFound */
export async function requireLanguage(locale: string): Promise<string> {
  const code = await Language.codeOf(locale)
  if (code === null) throw new LanguageNotFound({ detail: `Language ${locale} does not exist` })
  return code
}
