import { CachedCall } from '#core/values/cached_call'
import { fetchDiscovery } from '#app/auth/token/issuer'
import identityProvider from '#config/identity_provider'

const CACHED_MS = 10_000

/** Cached, so that anonymous callers cannot flood the identity provider. */
export const cachedDiscovery = new CachedCall(
  () => fetchDiscovery(identityProvider.issuer),
  CACHED_MS
)
