import type { ApplicationService } from '@adonisjs/core/types'

export default class IdentityProviderProvider {
  constructor(protected app: ApplicationService) {}

  async boot() {
    const { IdentityDirectory } = await import('#app/profiles/values/identity_directory')
    this.app.container.singleton(IdentityDirectory, async () => {
      const { serviceAccount, zitadel } = await import('#app/identity_provider/zitadel/zitadel')
      const { ZitadelDirectory } = await import('#app/identity_provider/zitadel/zitadel_directory')
      return new ZitadelDirectory(zitadel, serviceAccount)
    })
  }
}
