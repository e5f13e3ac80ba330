import { createHmac } from 'node:crypto'
import { EnvProcessor } from '@adonisjs/core/env'
import { APP_ROOT } from '#core/process/root'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/accounts'
import { loadSigningKey } from '#development/identity_provider/signing_key'
import { readRunningWorld } from '#development/running_world'
import {
  DEVELOPMENT_CLIENT_ID,
  DEVELOPMENT_PANEL_CLIENT_ID,
  developmentSettings,
} from '#development/settings'

/**
 * Loads `.env`, and sets what connects the service, or a command, to the development provider,
 * unless another one is configured (configuration.md#development-world). The secrets follow from
 * the provider's key, so all processes have the same.
 *
 * @param besideWorld Whether the settings of a running `npm start` precede `.env`, as for commands
 */
export async function setEnvironment({ besideWorld = false } = {}) {
  process.env.NODE_ENV ||= 'development'
  // The framework would prefer an empty value to that of the file.
  for (const [name, value] of Object.entries(process.env)) if (!value) delete process.env[name]
  const given = new Set(Object.keys(process.env))
  await new EnvProcessor(APP_ROOT).process()
  if (besideWorld) {
    const running = Object.entries(readRunningWorld(developmentSettings().folder))
    for (const [name, value] of running) if (!given.has(name)) process.env[name] = value
  }
  const settings = developmentSettings()
  if (settings.embeddedProvider) await setProviderDefaults(settings.keysFile)
  return settings
}

async function setProviderDefaults(keysFile: string) {
  const { privateJwk } = await loadSigningKey(keysFile)
  const secret = (purpose: string) => createHmac('sha256', privateJwk.d).update(purpose).digest()
  const defaults = {
    IDP_AUDIENCE: DEVELOPMENT_CLIENT_ID,
    IDP_SERVICE_ACCOUNT_TOKEN: secret('service account').toString('base64url'),
    IDP_ENCRYPTION_KEY: secret('encryption').toString('base64'),
    PANEL_CLIENT_ID: DEVELOPMENT_PANEL_CLIENT_ID,
    PANEL_CLIENT_SECRET: secret('panel').toString('base64url'),
    SUPER_ADMINS: DEVELOPMENT_ACCOUNTS[0].email,
  }
  for (const [name, value] of Object.entries(defaults)) process.env[name] ||= value
}
