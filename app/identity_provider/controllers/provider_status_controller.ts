import { success } from '#core/values/envelopes'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { fetchDiscovery } from '#app/auth/token/issuer'
import identityProvider from '#config/identity_provider'

/** Whether the identity provider answers, and how it describes itself (specification 4.7). */
export default class ProviderStatusController {
  /** Says whether the identity provider answers. */
  async health() {
    await discover()
    return success({ idpUrl: identityProvider.publicUrl, status: 'ok' as const })
  }

  /** Reads the identity provider's OIDC discovery document. */
  async discovery() {
    return discover()
  }
}

async function discover() {
  try {
    return await fetchDiscovery(identityProvider.issuer)
  } catch (cause) {
    throw new UpstreamUnreachable({
      detail: 'The discovery document of the identity provider cannot be fetched',
      cause,
    })
  }
}
