import Language from '#app/platform/models/language'
import { UnknownLanguages } from '#app/platform/exceptions'

/** @throws UnknownLanguages */
export async function requireKnownLanguages(codes: string[]) {
  const unknown = await Language.findUnknownCodes(codes)
  if (unknown.length > 0) throw new UnknownLanguages(unknown)
}
