import { createHmac } from 'node:crypto'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/accounts'
import { loadSigningKey } from '#development/identity_provider/signing_key'
import type { DevelopmentSettings } from '#development/settings'

/**
 * Sets what connects the service, or a command, to the development provider, unless another one is
 * configured. The secrets follow from the provider's key, so all processes have the same.
 */
export async function setEnvironment(settings: DevelopmentSettings) {
  if (!settings.embeddedProvider) return {}
  const { privateJwk } = await loadSigningKey(settings.keysFile)
  const secret = (purpose: string) => createHmac('sha256', privateJwk.d).update(purpose).digest()
  const defaults = {
    IDP_AUDIENCE: settings.audience.join(','),
    IDP_SERVICE_ACCOUNT_TOKEN: secret('service account').toString('base64url'),
    IDP_ENCRYPTION_KEY: secret('encryption').toString('base64'),
    SUPER_ADMINS: DEVELOPMENT_ACCOUNTS[0].email,
  }
  for (const [name, value] of Object.entries(defaults)) process.env[name] ||= value
  return { IDP_SERVICE_ACCOUNT_TOKEN: process.env.IDP_SERVICE_ACCOUNT_TOKEN }
}
