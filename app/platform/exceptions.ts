import { defineProblem } from '#core/exceptions/problem'

const UnknownLanguagesProblem = defineProblem(
  'UNKNOWN_LANGUAGES',
  400,
  'The request contains languages that the platform does not have',
  'Create the languages in `details.unknown` first, or leave them out.'
)

export class UnknownLanguages extends UnknownLanguagesProblem {
  constructor(unknown: string[]) {
    super({ details: { code: 'UNKNOWN_LANGUAGES', unknown } })
  }
}

export const UnknownBrand = defineProblem('UNKNOWN_BRAND', 400, 'No brand has this slug or id')
export const BrandNotFound = defineProblem('BRAND_NOT_FOUND', 404, 'Brand not found')
export const BrandExists = defineProblem(
  'BRAND_EXISTS',
  409,
  'A brand with this slug already exists'
)
export const TooManyBrands = defineProblem(
  'TOO_MANY_BRANDS',
  409,
  'The platform has reached its maximum number of brands',
  'Delete brands that are no longer used.'
)
export const BrandIsDefault = defineProblem(
  'BRAND_IS_DEFAULT',
  409,
  'The default brand cannot be deleted or unset',
  'Make another brand the default first.'
)
export const OrganisationHasBrand = defineProblem(
  'ORGANISATION_HAS_BRAND',
  409,
  'The organisation already belongs to another brand'
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
  'The DKIM private key must be an unencrypted RSA key of 1024 to 4096 bits in PEM format'
)

export const LanguageNotFound = defineProblem('LANGUAGE_NOT_FOUND', 404, 'Language not found')
export const LanguageExists = defineProblem(
  'LANGUAGE_EXISTS',
  409,
  'A language with this code already exists'
)
export const TooManyLanguages = defineProblem(
  'TOO_MANY_LANGUAGES',
  409,
  'The platform has reached its maximum number of languages',
  'Delete languages that are no longer used.'
)
export const LanguageInUse = defineProblem(
  'LANGUAGE_IN_USE',
  409,
  'The language is in use or required by the service'
)
export const InvalidFallback = defineProblem(
  'INVALID_FALLBACK',
  400,
  'The fallback must be another language of the platform and must not create a cycle'
)

export const UserPoolNotFound = defineProblem('USER_POOL_NOT_FOUND', 404, 'User pool not found')
export const UserPoolExists = defineProblem(
  'USER_POOL_EXISTS',
  409,
  'A user pool with this slug already exists'
)
export const TooManyUserPools = defineProblem(
  'TOO_MANY_USER_POOLS',
  409,
  'The platform has reached its maximum number of user pools',
  'Delete user pools that are no longer used.'
)
export const OrganisationInPool = defineProblem(
  'ORGANISATION_IN_POOL',
  409,
  'An organisation already belongs to another user pool'
)
