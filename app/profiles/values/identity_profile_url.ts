import identityProvider from '#config/identity_provider'

/** Where a person manages name, password and passkeys: at the identity provider (profiles.md#identity-profile-link). */
export const identityProfileUrl =
  identityProvider.publicUrl.replace(/\/$/, '') + identityProvider.profilePath
