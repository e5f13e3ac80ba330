import Language from '#app/platform/models/language'
import { UnknownLanguages } from '#app/platform/exceptions'

/** @throws UnknownLanguages naming every code that the registry does not hold */
export async function requireKnownLanguages(codes: string[]) {
  const unknown = await Language.unknownAmong(codes)
  if (unknown.length > 0) throw new UnknownLanguages(unknown)
}
