import Language from '#app/platform/models/language'
import { UnknownLanguages } from '#app/platform/exceptions'
import { matchLocale } from '#app/platform/values/locale_matching'

/**
 * @param wanted in any case, with or without a region
 * @returns the code of the enabled language
 * @throws UnknownLanguages
 */
export async function requireEnabledLanguage(wanted: string): Promise<string> {
  const enabled = await Language.query().where('enabled', true)
  const code = matchLocale(
    wanted,
    enabled.map((language) => language.code)
  )
  if (code === null) throw new UnknownLanguages([wanted])
  return code
}
