import { DateTime } from 'luxon'
import PanelSession from '#app/auth/models/panel_session'
import { fromPanel } from '#tests/helpers/panel_world'
import { Browser } from '#tests/helpers/browser'
import { sameDatabase } from '#tests/helpers/same_database'
import { freePort } from '#tests/world/free_port'
import { AUDIENCE } from '#tests/world/issuer'
import { PANEL_CLIENT, PanelProvider } from '#tests/world/panel_provider'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'

export const SESSION_COOKIE = '__Host-concierge-panel'

/** Processes of the service whose provider can misbehave, on the tests' database. */
export class SessionWorld {
  readonly #services: RunningService[] = []
  readonly #settings: ServiceSettings
  private constructor(
    readonly url: string,
    readonly provider: PanelProvider,
    settings: ServiceSettings
  ) {
    this.#settings = settings
  }

  static async start(settings: ServiceSettings = {}): Promise<SessionWorld> {
    const provider = await new PanelProvider().start()
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}`
    const world = new SessionWorld(url, provider, {
      ...sameDatabase(),
      APP_URL: url,
      IDP_ISSUER: provider.issuer.url,
      IDP_AUDIENCE: AUDIENCE,
      PANEL_CLIENT_ID: PANEL_CLIENT,
      PANEL_CLIENT_SECRET: 'a-secret-of-the-panel-of-the-tests',
      ...settings,
    })
    await world.startAnother({ PORT: port })
    return world
  }

  /** @returns the address of another process on the same database */
  async startAnother(settings: ServiceSettings = {}): Promise<string> {
    const service = await startService({ ...this.#settings, ...settings })
    this.#services.push(service)
    return service.url
  }

  get service(): RunningService {
    return this.#services[0]
  }

  async end() {
    this.provider.recover()
    await Promise.all(this.#services.map((one) => one.stop()))
    await this.provider.stop()
  }

  /** A request of the panel's page. */
  async call(browser: Browser, path: string, method = 'GET', url = this.url) {
    return browser.fetch(`${url}${path}`, fromPanel(this.url, method))
  }

  async status(browser: Browser, url = this.url): Promise<number> {
    const response = await this.call(browser, '/api/panel/session', 'GET', url)
    await response.body?.cancel()
    return response.status
  }

  /** @returns the address to which the provider sends the browser back */
  async begin(browser: Browser, email: string, claims: Record<string, unknown> = {}) {
    const begun = await browser.get(`${this.url}/panel/login`)
    const { searchParams } = new URL(begun.headers.get('location')!)
    const [state, nonce] = [searchParams.get('state')!, searchParams.get('nonce')!]
    const code = this.provider.code(email, nonce, claims)
    return `${this.url}/panel/callback?code=${code}&state=${state}`
  }

  async signIn(email: string, { browser = new Browser(), claims = {} } = {}) {
    const response = await browser.get(await this.begin(browser, email, claims))
    return { browser, response }
  }

  rowsOf(email: string) {
    return PanelSession.query().where({ email }).orderBy('id', 'desc')
  }

  /** Lets the access token of the newest session end in this time. */
  async age(email: string, secondsLeft: number): Promise<PanelSession> {
    const row = await this.rowsOf(email).firstOrFail()
    const tokens = { ...row.readTokens()!, expiresAt: Date.now() + secondsLeft * 1_000 }
    return row.merge({ tokens: PanelSession.encrypt(tokens) }).save()
  }
}

/** Ends the pause after a failed renewal. */
export async function endPause(session: PanelSession) {
  const past = DateTime.utc().minus({ seconds: 1 })
  await PanelSession.query().where({ id: session.id }).update({ renewalPausedUntil: past.toSQL() })
}
