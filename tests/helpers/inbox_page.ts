import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { projectPath } from '#core/process/root'
import { newBrowser } from '#tests/helpers/open_panel'
import { issuer } from '#tests/world/prepare'
import { TestHttpServer } from '#tests/world/http_server'

export interface ShopVisit {
  theme?: 'light' | 'dark'
  language?: 'en' | 'cs'
  width?: number
  height?: number
  /** Of the element, such as `applications="shop"`. */
  attributes?: string
}

/** An event that the page received from the component. */
export interface Heard {
  type: string
  detail: Record<string, unknown>
}

const SERVICE_WORKER = join(projectPath(), 'packages/inbox/dist/service-worker.js')
const STYLE = `:root { color-scheme: light dark; } body { font: 1rem system-ui; margin: 1rem; }
header { display: flex; gap: 1rem; align-items: center; justify-content: flex-end; }`

const SCRIPT = `
const inbox = document.querySelector('concierge-inbox')
globalThis.heard = []
for (const type of ['notification', 'open', 'navigate', 'unread-count', 'toggle', 'problem']) {
  inbox.addEventListener(type, (event) => {
    heard.push({ type, detail: JSON.parse(JSON.stringify(event.detail)) })
    if (type === 'navigate') event.preventDefault()
  })
}
const { search } = location
globalThis.tokens = []
inbox.getToken = async ({ renew }) => {
  tokens.push(renew)
  const response = await fetch(origin + '/token' + search + '&renew=' + renew)
  return response.text()
}`

/**
 * An application on an origin of its own, whose pages have the component and a policy that allows
 * neither inline styles and scripts nor to write markup.
 */
export class Shop {
  readonly #service: string
  readonly #server: TestHttpServer
  /** The token of a user; a test may replace it. */
  token = (email: string, _renew: boolean): Promise<string> => issuer.token(email)

  constructor(service: string) {
    this.#service = service
    this.#server = new TestHttpServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://shop')
      const send = (type: string, text: string) =>
        response.setHeader('content-type', `${type}; charset=utf-8`).end(text)
      if (pathname === '/page.js') return send('text/javascript', SCRIPT)
      if (pathname === '/service-worker.js') {
        return send('text/javascript', readFileSync(SERVICE_WORKER, 'utf8'))
      }
      if (pathname === '/page.css') return send('text/css', STYLE)
      if (pathname === '/token') {
        const isRenewed = searchParams.get('renew') === 'true'
        return send('text/plain', await this.token(searchParams.get('email')!, isRenewed))
      }
      response.setHeader('content-security-policy', this.#policy())
      return send('text/html', this.#page(searchParams))
    })
  }

  get url() {
    return this.#server.url
  }

  start() {
    return this.#server.start()
  }

  stop() {
    return this.#server.stop()
  }

  browser(visit: ShopVisit = {}): Promise<BrowserContext> {
    return newBrowser({ ...visit, as: null, origins: [this.url, new URL(this.#service).origin] })
  }

  /** Opens the page, signed in as this user, and waits until the bell is there. */
  async open(email: string, visit: ShopVisit = {}, context?: BrowserContext): Promise<Page> {
    const page = await (context ?? (await this.browser(visit))).newPage()
    const { language = 'en', attributes = '' } = visit
    const query = new URLSearchParams({ email, language, attributes })
    await page.goto(`${this.url}/?${query}`)
    await bellOf(page).waitFor()
    return page
  }

  #page(query: URLSearchParams) {
    return `<!doctype html>
<html lang="${query.get('language')}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Shop</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/page.css" />
    <script src="${this.#service}/concierge-inbox.js" defer></script>
    <script src="/page.js" type="module"></script>
  </head>
  <body>
    <header>
      <button type="button">Before</button>
      <concierge-inbox base-url="${this.#service}" ${query.get('attributes')}></concierge-inbox>
      <button type="button">After</button>
    </header>
    <main><h1>Shop</h1></main>
  </body>
</html>`
  }

  #policy() {
    return [
      "default-src 'none'",
      `script-src 'self' ${this.#service}`,
      "style-src 'self'",
      `connect-src 'self' ${this.#service}`,
      'img-src data:',
      "form-action 'none'",
      "worker-src 'self'",
      "require-trusted-types-for 'script'",
      'trusted-types concierge-inbox',
    ].join('; ')
  }
}

/** The bell, in both languages. */
export const bellOf = (page: Page) => page.locator('concierge-inbox').getByRole('button').first()

export const panelOf = (page: Page) => page.getByRole('dialog')

export const itemsOf = (page: Page) => panelOf(page).getByRole('article')

/** The item with this subject. */
export const itemOf = (page: Page, subject: string) =>
  itemsOf(page).filter({ has: page.getByRole('heading', { name: subject }) })

export async function openInbox(page: Page) {
  await bellOf(page).click()
  await panelOf(page).waitFor()
}

export const heardBy = (page: Page, type: string) =>
  page.evaluate<Heard[]>(`heard.filter((one) => one.type === '${type}')`)

/** Waits until new messages arrive by a stream (`live`) or by `polling`, not yet, or not at all. */
export const whenConnected = (page: Page, connection: 'live' | 'polling' | 'connecting' | 'off') =>
  page.locator(`concierge-inbox:state(${connection})`).waitFor()

/** For each time that the page was asked for a token: whether for a new one. */
export const tokensOf = (page: Page) => page.evaluate<boolean[]>('tokens')
