import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { synchroniseClients } from '#app/identity_provider/oidc_clients/synchronise_clients'

/** See identity-provider.md#synchronising-callback-urls. */
export default class ClientSynchronisationsController {
  /**
   * Synchronise callback URLs. Writes the callback URLs of an application's instances to its OIDC
   * clients at the identity provider.
   */
  async store(ctx: HttpContext) {
    return successEnvelope(await synchroniseClients(textParam(ctx, 'appCode')))
  }
}
