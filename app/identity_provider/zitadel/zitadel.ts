import { ServiceAccount } from '#app/identity_provider/zitadel/service_account'
import { ZitadelApi } from '#app/identity_provider/zitadel/zitadel_api'
import identityProvider from '#config/identity_provider'

export const serviceAccount = new ServiceAccount({
  ...identityProvider.serviceAccount,
  issuer: identityProvider.issuer,
})

export const zitadel = new ZitadelApi(identityProvider.apiUrl, serviceAccount)
