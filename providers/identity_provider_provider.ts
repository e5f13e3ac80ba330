import type { ApplicationService } from '@adonisjs/core/types'

/** Binds the seam between profiles and the identity provider. */
export default class IdentityProviderProvider {
  constructor(protected app: ApplicationService) {}

  async boot() {
    const { IdentityDirectory } = await import('#app/profiles/values/identity_directory')
    this.app.container.singleton(IdentityDirectory, async () => {
      const { default: settings } = await import('#config/identity_provider')
      const { ServiceAccount } = await import('#app/identity_provider/admin_api/service_account')
      const { ZitadelDirectory } =
        await import('#app/identity_provider/admin_api/zitadel_directory')
      const account = new ServiceAccount({ ...settings.serviceAccount, issuer: settings.issuer })
      return new ZitadelDirectory(settings.apiUrl, account)
    })
  }
}
