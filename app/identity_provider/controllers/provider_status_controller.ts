import { success } from '#core/values/envelopes'
import { AskedRarely } from '#core/values/asked_rarely'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { fetchDiscovery } from '#app/auth/token/issuer'
import identityProvider from '#config/identity_provider'

const ASK_EVERY_MS = 10_000

/** Anybody may ask: what they can cost the provider is bounded here. */
const document = new AskedRarely(() => fetchDiscovery(identityProvider.issuer), ASK_EVERY_MS)

/** Whether the identity provider answers, and how it describes itself (specification 4.7). */
export default class ProviderStatusController {
  /** Says whether the identity provider answers, as it did at most 10 seconds ago. */
  async health() {
    await discover()
    return success({ idpUrl: identityProvider.publicUrl, status: 'ok' as const })
  }

  /** Reads the identity provider's OIDC discovery document, as it was at most 10 seconds ago. */
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
