import { randomBytes } from 'node:crypto'
import { banner } from '#development/banner'
import { connectMail, createDemo } from '#development/demo'
import {
  DEVELOPMENT_ACCOUNTS,
  mintToken,
  startIdentityProvider,
} from '#development/identity_provider/main'
import { startMailbox } from '#development/mailbox/main'
import { DEVELOPMENT_CLIENT_ID, developmentSettings } from '#development/settings'

/** `npm start`: runs the service with a development world, except parts that settings replace. */
process.env.NODE_ENV ||= 'development'
const settings = developmentSettings()
const [superAdmin, , user] = DEVELOPMENT_ACCOUNTS

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
  process.env.SUPER_ADMINS ||= superAdmin.email
}

const mailbox = settings.mailbox && (await startMailbox(settings.mailbox))
if (mailbox) closeWithService(mailbox)

await import('./main.ts')

const tokenFor = (email: string) =>
  mintToken({ ...settings, clientId: DEVELOPMENT_CLIENT_ID, email })

if (settings.embeddedProvider) {
  const { serviceUrl } = settings
  const client = { serviceUrl, token: await tokenFor(superAdmin.email) }
  await createDemo(client)
  await connectMail(client)
  process.stdout.write(
    banner({ ...settings, mailboxUrl: mailbox?.url }, await tokenFor(user.email))
  )
} else {
  process.stdout.write(`\n  Concierge   ${settings.serviceUrl}/api\n\n`)
}

/** The service closes itself, but open listeners would keep the process alive. */
function closeWithService(part: { close(): Promise<void> }) {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => part.close())
}
