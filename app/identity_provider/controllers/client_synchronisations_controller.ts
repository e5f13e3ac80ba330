import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { readSynchronisation } from '#app/identity_provider/oidc_clients/read_synchronisation'
import { synchroniseClients } from '#app/identity_provider/oidc_clients/synchronise_clients'

/** See identity-provider.md#synchronising-callback-urls. */
export default class ClientSynchronisationsController {
  /**
   * Get the state of the callback URLs. Compares the instances of an application with its OIDC
   * clients at the identity provider, and changes nothing.
   */
  async show(ctx: HttpContext) {
    return successEnvelope(await readSynchronisation(textParam(ctx, 'appCode')))
  }

  /**
   * Synchronise callback URLs. Writes the callback URLs of an application's instances to its OIDC
   * clients at the identity provider.
   */
  async store(ctx: HttpContext) {
    return successEnvelope(await synchroniseClients(textParam(ctx, 'appCode')))
  }
}
