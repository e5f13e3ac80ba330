import { randomBytes } from 'node:crypto'
import { DEVELOPMENT_ACCOUNTS, startIdentityProvider } from '#development/identity_provider/main'
import { startMailbox } from '#development/mailbox/main'
import { DEVELOPMENT_CLIENT_ID, developmentSettings } from '#development/settings'

/**
 * Starts what the service talks to, except parts that settings replace, and sets the environment
 * accordingly. The world ends with the process.
 */
export async function startDevelopmentWorld() {
  process.env.NODE_ENV ||= 'development'
  const settings = developmentSettings()
  if (settings.embeddedProvider) {
    const provider = await startIdentityProvider({
      host: new URL(settings.issuer).hostname,
      port: Number(new URL(settings.issuer).port),
      issuer: settings.issuer,
      keysFile: settings.keysFile,
      clientId: DEVELOPMENT_CLIENT_ID,
      audience: settings.audience,
      redirectUris: [`${settings.serviceUrl}/api/idp/callback`],
      serviceAccountToken: settings.serviceAccountToken,
    })
    closeWithService(provider)
    process.env.IDP_AUDIENCE ||= settings.audience.join(',')
    process.env.IDP_SERVICE_ACCOUNT_TOKEN ||= settings.serviceAccountToken
    // The provider's key lives as long as the provider, so the service need not keep it longer.
    process.env.IDP_ENCRYPTION_KEY ||= randomBytes(32).toString('base64')
    process.env.SUPER_ADMINS ||= DEVELOPMENT_ACCOUNTS[0].email
  }
  if (settings.mailbox) closeWithService(await startMailbox(settings.mailbox))
}

/** The service closes itself, but open listeners would keep the process alive. */
function closeWithService(part: { close(): Promise<void> }) {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => part.close())
}
