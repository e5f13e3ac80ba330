import Language from '#app/platform/models/language'
import { UnknownLanguages } from '#app/platform/exceptions'
import { matchLocale } from '#app/platform/values/choose_locale'

/**
 * @param wanted In any case, with or without a region
 * @param current The code that is set already, which may be disabled
 * @returns the code of the language
 * @throws UnknownLanguages
 */
export async function requireEnabledLanguage(
  wanted: string,
  current: string | null
): Promise<string> {
  const enabled = await Language.query().where('enabled', true)
  const codes = enabled.map(({ code }) => code)
  const code = matchLocale(wanted, current === null ? codes : [...codes, current])
  if (code === null) throw new UnknownLanguages([wanted])
  return code
}
