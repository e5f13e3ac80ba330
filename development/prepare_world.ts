import { banner } from '#development/banner'
import { connectMail, createDemo } from '#development/demo'
import { DEVELOPMENT_ACCOUNTS, mintToken } from '#development/identity_provider/main'
import { DEVELOPMENT_CLIENT_ID, developmentSettings } from '#development/settings'

/**
 * Creates the demo and prints the banner.
 *
 * @param url The service's address before others can reach it
 */
export async function prepareWorld(url: string) {
  const settings = developmentSettings()
  if (!settings.embeddedProvider) {
    process.stdout.write(`\n  Concierge   ${settings.serviceUrl}/api\n\n`)
    return
  }
  const [, , user] = DEVELOPMENT_ACCOUNTS
  const [superAdmin] = settings.superAdmins
  const tokenFor = (email: string) =>
    mintToken({ ...settings, clientId: DEVELOPMENT_CLIENT_ID, email })
  const client = { serviceUrl: url, token: await tokenFor(superAdmin) }
  await createDemo(client)
  await connectMail(client)
  process.stdout.write(banner(settings, await tokenFor(user.email)))
}
