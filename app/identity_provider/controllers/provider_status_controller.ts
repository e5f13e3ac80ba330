import { successEnvelope } from '#core/values/envelopes'
import { CachedCall } from '#core/values/cached_call'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { fetchDiscovery } from '#app/auth/token/issuer'
import identityProvider from '#config/identity_provider'

const CACHED_MS = 10_000

/** Cached, because these routes are public and must not flood the identity provider. */
const cachedDiscovery = new CachedCall(() => fetchDiscovery(identityProvider.issuer), CACHED_MS)

/** See identity-provider.md#provider-status. */
export default class ProviderStatusController {
  /** Check the identity provider. The result may be up to 10 seconds old. */
  async health() {
    await discover()
    return successEnvelope({ idpUrl: identityProvider.publicUrl, status: 'ok' as const })
  }

  /** Get the OIDC discovery document. It may be up to 10 seconds old. */
  async discovery() {
    return discover()
  }
}

async function discover() {
  try {
    return await cachedDiscovery.get()
  } catch (cause) {
    throw new UpstreamUnreachable({
      detail: 'The discovery document of the identity provider cannot be fetched',
      cause,
    })
  }
}
