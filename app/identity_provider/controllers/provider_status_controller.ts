import { successEnvelope } from '#core/values/envelopes'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { cachedDiscovery } from '#app/identity_provider/cached_discovery'
import identityProvider from '#config/identity_provider'

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
