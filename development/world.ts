import { reachableHost } from '#core/network/loopback'
import { commaSeparated } from '#core/values/comma_separated'
import { DEMO_APPLICATION } from '#development/demo'
import { setEnvironment } from '#development/environment'
import { mintToken, startIdentityProvider } from '#development/identity_provider/main'
import { startInboxDemo } from '#development/inbox_demo/main'
import { startMailbox } from '#development/mailbox/main'
import { removeRunningWorld, storeRunningWorld } from '#development/running_world'
import { DEVELOPMENT_CLIENT_ID, type DevelopmentSettings } from '#development/settings'

/**
 * Starts what the service talks to, except parts that settings replace, and sets the environment
 * accordingly. The world ends with the process.
 */
export async function startDevelopmentWorld() {
  const settings = await setEnvironment()
  if (settings.embeddedProvider) {
    const provider = await startIdentityProvider({
      host: new URL(settings.issuer).hostname,
      port: Number(new URL(settings.issuer).port),
      issuer: settings.issuer,
      keysFile: settings.keysFile,
      clientId: DEVELOPMENT_CLIENT_ID,
      audience: settings.audience,
      redirectUris: [`${settings.serviceUrl}/api/idp/callback`],
      panel: panelClient(settings.serviceUrl),
      serviceAccountToken: process.env.IDP_SERVICE_ACCOUNT_TOKEN,
    })
    closeWithService(provider)
  }
  if (settings.mailbox) closeWithService(await startMailbox(settings.mailbox))
  if (settings.inboxPort !== null) closeWithService(await startDemo(settings, settings.inboxPort))
  storeRunningWorld(settings.folder)
  closeWithService({ close: () => removeRunningWorld(settings.folder) })
}

function startDemo(settings: DevelopmentSettings, port: number) {
  const [internalKey] = commaSeparated(process.env.INTERNAL_API_KEY)
  return startInboxDemo({
    host: reachableHost(settings.host),
    port,
    serviceUrl: settings.serviceUrl,
    internalKey,
    appCode: DEMO_APPLICATION,
    tokenFor: (email) => mintToken({ ...settings, clientId: DEVELOPMENT_CLIENT_ID, email }),
  })
}

function panelClient(serviceUrl: string) {
  const { PANEL_CLIENT_ID: id, PANEL_CLIENT_SECRET: secret } = process.env
  if (!id || !secret) return undefined
  const { origin } = new URL(serviceUrl)
  return { id, secret, redirectUri: `${origin}/panel/callback`, signedOutUri: `${origin}/panel` }
}

/** The service closes itself, but open listeners would keep the process alive. */
function closeWithService(part: { close(): unknown }) {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => part.close())
}
