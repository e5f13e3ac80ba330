import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import PanelSession from '#app/auth/models/panel_session'
import type { SessionTokens } from '#app/auth/session/provider_client'
import { hashSecret, newSecret } from '#app/auth/session/session_cookie'
import User from '#app/profiles/models/user'
import {
  DEVELOPMENT_ACCOUNTS,
  DEVELOPMENT_PASSWORD,
  type RunningIdentityProvider,
  startIdentityProvider,
} from '#development/identity_provider/main'
import { Browser } from '#tests/helpers/browser'
import { sameDatabase } from '#tests/helpers/same_database'
import { freePort } from '#tests/world/free_port'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'

const PROJECT_ID = '320000000000000001'
const CLIENT = { id: 'concierge-panel', secret: 'a-secret-of-the-panel-of-the-tests' }

/** Of the provider's API, for services that are given it. */
export const SERVICE_ACCOUNT_TOKEN = 'a-token-of-the-service-account'

export interface PanelWorld {
  url: string
  service: RunningService
  provider: RunningIdentityProvider
  /** Another process on the same database, with the same sessions. */
  startAnother(): Promise<RunningService>
  stopProvider(): Promise<void>
  end(): Promise<void>
}

/** A provider that knows the panel, and a service on the tests' database. */
export async function startPanelWorld(settings: ServiceSettings = {}): Promise<PanelWorld> {
  // Every provider has accounts of its own.
  const emails = DEVELOPMENT_ACCOUNTS.map(({ email }) => email)
  await User.query().whereIn('email', emails).delete()
  const folder = await mkdtemp(join(tmpdir(), 'concierge-panel-'))
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const provider = await startIdentityProvider({
    host: '127.0.0.1',
    port: 0,
    keysFile: join(folder, 'signing.json'),
    clientId: 'concierge-development',
    serviceAccountToken: SERVICE_ACCOUNT_TOKEN,
    audience: [PROJECT_ID],
    redirectUris: [`${url}/api/idp/callback`],
    panel: { ...CLIENT, redirectUri: `${url}/panel/callback`, signedOutUri: `${url}/panel` },
  })
  const shared = {
    ...sameDatabase(),
    APP_URL: url,
    IDP_ISSUER: provider.issuer,
    IDP_AUDIENCE: PROJECT_ID,
    PANEL_CLIENT_ID: CLIENT.id,
    PANEL_CLIENT_SECRET: CLIENT.secret,
    ...settings,
  }
  const service = await startService({ ...shared, PORT: port })
  const others: RunningService[] = []
  return {
    url,
    service,
    provider,
    async startAnother() {
      const another = await startService(shared)
      others.push(another)
      return another
    },
    stopProvider: () => provider.close(),
    async end() {
      await Promise.all([service, ...others].map((one) => one.stop()))
      await provider.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** What the panel's own pages send with a request. */
export const fromPanel = (url: string, method = 'GET'): RequestInit => ({
  method,
  headers: {
    'x-concierge-panel': '1',
    'sec-fetch-site': 'same-origin',
    ...(method !== 'GET' && { origin: url }),
  },
})

/** Signs in at the provider. @returns the address to which it sends the browser back */
export async function signInAtProvider(browser: Browser, location: string, email: string) {
  const page = await browser.follow(await browser.get(location))
  const isSignedIn = page.headers.get('location')
  if (isSignedIn) return isSignedIn
  const fields = { email, password: DEVELOPMENT_PASSWORD }
  const done = await browser.follow(await browser.submit(page.url, fields))
  return done.headers.get('location')!
}

/** Signs in to the panel. @returns the browser, and the response that ends the sign-in */
export async function signInToPanel(
  url: string,
  email: string,
  { browser = new Browser(), returnTo = '/panel' } = {}
) {
  const begun = await browser.get(`${url}/panel/login?return_to=${encodeURIComponent(returnTo)}`)
  const callback = await signInAtProvider(browser, begun.headers.get('location')!, email)
  return { browser, response: await browser.get(callback) }
}

interface SessionOptions {
  secret?: string
  tokens?: Partial<SessionTokens>
  /** The account; another one than any of the issuer if left out. */
  subject?: string
}

/** The row of a session, without signing in. */
export function aSession(
  email: string,
  { secret = newSecret(), tokens = {}, subject = 'a subject' }: SessionOptions = {}
) {
  const now = DateTime.utc()
  const all = { accessToken: 'a', expiresAt: 0, refreshToken: null, idToken: 'i', ...tokens }
  return PanelSession.create({
    secretHash: hashSecret(secret),
    email,
    subject,
    tokens: PanelSession.encrypt(all),
    version: 1,
    userAgent: 'A browser',
    address: '192.0.2.1',
    lastSeenAt: now,
    expiresAt: now.plus({ hours: 1 }),
  })
}
