import identityProvider from '#config/identity_provider'

/** See profiles.md#identity-profile-link. */
export const identityProfileUrl =
  identityProvider.publicUrl.replace(/\/$/, '') + identityProvider.profilePath
