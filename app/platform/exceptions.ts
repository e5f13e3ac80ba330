import { defineProblem } from '#core/exceptions/problem'

const UnknownLanguagesProblem = defineProblem(
  'UNKNOWN_LANGUAGES',
  400,
  'A language is not in the platform registry'
)

export class UnknownLanguages extends UnknownLanguagesProblem {
  constructor(unknown: string[]) {
    super({ details: { code: 'UNKNOWN_LANGUAGES', unknown } })
  }
}

export const UnknownBrand = defineProblem('UNKNOWN_BRAND', 400, 'No brand has this slug')
export const BrandNotFound = defineProblem('BRAND_NOT_FOUND', 404, 'No such brand')
export const LanguageNotFound = defineProblem('LANGUAGE_NOT_FOUND', 404, 'No such language')
