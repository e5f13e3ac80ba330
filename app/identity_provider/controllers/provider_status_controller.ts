import { successEnvelope } from '#core/values/envelopes'
import { CachedCall } from '#core/values/cached_call'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { fetchDiscovery } from '#app/auth/token/issuer'
import identityProvider from '#config/identity_provider'

const ASK_EVERY_MS = 10_000

/** Public endpoints, cached so that callers cannot flood the identity provider. */
const document = new CachedCall(() => fetchDiscovery(identityProvider.issuer), ASK_EVERY_MS)

/** Whether the identity provider answers, and how it describes itself (identity-provider.md#provider-status). */
export default class ProviderStatusController {
  /** Says whether the identity provider answers. The result may be up to 10 seconds old. */
  async health() {
    await discover()
    return successEnvelope({ idpUrl: identityProvider.publicUrl, status: 'ok' as const })
  }

  /** Reads the identity provider's OIDC discovery document. It may be up to 10 seconds old. */
  async discovery() {
    return discover()
  }
}

async function discover() {
  try {
    return await document.get()
  } catch (cause) {
    throw new UpstreamUnreachable({
      detail: 'The discovery document of the identity provider cannot be fetched',
      cause,
    })
  }
}
