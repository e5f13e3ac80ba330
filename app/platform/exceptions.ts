import { defineProblem } from '#core/exceptions/problem'

const UnknownLanguagesProblem = defineProblem(
  'UNKNOWN_LANGUAGES',
  400,
  'A language is not in the platform registry',
  'Add the languages in `details.unknown` to the registry first, or leave them out.'
)

export class UnknownLanguages extends UnknownLanguagesProblem {
  constructor(unknown: string[]) {
    super({ details: { code: 'UNKNOWN_LANGUAGES', unknown } })
  }
}

export const UnknownBrand = defineProblem('UNKNOWN_BRAND', 400, 'No brand has this slug or id')
export const BrandNotFound = defineProblem('BRAND_NOT_FOUND', 404, 'No such brand')
export const BrandExists = defineProblem('BRAND_EXISTS', 409, 'A brand with this slug exists')
export const TooManyBrands = defineProblem(
  'TOO_MANY_BRANDS',
  409,
  'The platform has reached its maximum number of brands',
  'Delete brands that are no longer in use; `details.limit` is the maximum.'
)
export const BrandIsDefault = defineProblem(
  'BRAND_IS_DEFAULT',
  409,
  'This is the default brand: make another one the default first',
  'Make another brand the default one first.'
)
export const OrganisationHasBrand = defineProblem(
  'ORGANISATION_HAS_BRAND',
  409,
  'Another brand belongs to this organisation'
)
export const PasswordRequired = defineProblem(
  'PASSWORD_REQUIRED',
  400,
  'Changing the connection of a stored SMTP account requires its password',
  'Send `smtp.password` in the same request, or null if the account has no password.'
)
export const InvalidDkimKey = defineProblem(
  'INVALID_DKIM_KEY',
  400,
  'The DKIM private key must be an unencrypted RSA key of 1024 to 4096 bits in PEM'
)

export const LanguageNotFound = defineProblem('LANGUAGE_NOT_FOUND', 404, 'No such language')
export const LanguageExists = defineProblem(
  'LANGUAGE_EXISTS',
  409,
  'The registry has a language with this code'
)
export const TooManyLanguages = defineProblem(
  'TOO_MANY_LANGUAGES',
  409,
  'The registry has reached its maximum number of languages',
  'Delete languages that nothing uses; `details.limit` is the maximum.'
)
export const LanguageInUse = defineProblem(
  'LANGUAGE_IN_USE',
  409,
  'This language is in use, or the system itself speaks it'
)
export const InvalidFallback = defineProblem(
  'INVALID_FALLBACK',
  400,
  'The fallback is not in the registry or leads back to the language itself'
)

export const UserPoolNotFound = defineProblem('USER_POOL_NOT_FOUND', 404, 'No such user pool')
export const UserPoolExists = defineProblem(
  'USER_POOL_EXISTS',
  409,
  'A user pool with this slug exists'
)
export const TooManyUserPools = defineProblem(
  'TOO_MANY_USER_POOLS',
  409,
  'The platform has reached its maximum number of user pools',
  'Delete user pools that are no longer in use; `details.limit` is the maximum.'
)
export const OrganisationInPool = defineProblem(
  'ORGANISATION_IN_POOL',
  409,
  'An organisation is in another user pool'
)
