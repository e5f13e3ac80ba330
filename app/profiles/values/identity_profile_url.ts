import identityProvider from '#config/identity_provider'

/** Where a person manages name, password and passkeys: at the identity provider (decisions 5.7). */
export const identityProfileUrl =
  identityProvider.publicUrl.replace(/\/$/, '') + identityProvider.profilePath
