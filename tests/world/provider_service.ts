import { sameDatabase } from '#tests/helpers/same_database'
import { IdentityApi } from '#tests/world/identity_api'
import { type ServiceSettings, startService } from '#tests/world/service'

/** A process on the tests' database, and the identity provider it has a service account at. */
export async function startProviderService(settings: ServiceSettings = {}, start = startService) {
  const api = await new IdentityApi().start()
  const service = await start({
    ...sameDatabase(),
    IDP_API_URL: api.url,
    IDP_SERVICE_ACCOUNT_TOKEN: api.personalToken,
    ...settings,
  })
  const stop = async () => {
    await service.stop()
    await api.stop()
  }
  return { api, service, stop }
}
