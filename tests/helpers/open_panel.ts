import type { BrowserContext, Page } from 'playwright-core'
import { SESSION_COOKIE, newSecret } from '#app/auth/session/session_cookie'
import { eventually } from '#tests/helpers/eventually'
import { aSession } from '#tests/helpers/panel_world'
import { expectProblem, isQuiet, keepOpen, watchPages } from '#tests/helpers/watch_pages'
import { startChromium } from '#tests/world/chromium'
import { subjectOf } from '#tests/world/issuer'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

export type Language = 'en' | 'cs'

export interface Visit {
  /** E-mail address of who is signed in; null for nobody. */
  as?: string | null
  theme?: 'light' | 'dark'
  language?: Language
  width?: number
  height?: number
  /** Origins that the pages may talk to; default: the service of the tests. */
  origins?: string[]
  /** Whether a test needs an empty cache, or changes the clock or scripts of all pages. */
  isNew?: boolean
}

/** How the panel remembers that there is a session, whose cookie it cannot read. */
const SIGNED_IN = { name: 'concierge-signed-in', value: '1' }
const HOUR_MS = 3_600_000
const LOCALES = { en: 'en-GB', cs: 'cs-CZ' }
/** Longest time in which a page loads on a busy machine. */
const LOAD_WITHIN_MS = 30_000
const NOTHING = '/nothing'
/** Otherwise Chromium asks for `/favicon.ico`. */
const NO_ICON = '<link rel="icon" href="data:,">'

/** A clock of Playwright belongs to all pages of a browser, and cannot be removed. */
const HAS_OTHER_CLOCK = `performance.getEntriesByType('navigation').length === 0`
const NEEDS_NEW = 'A test that sets the clock needs a browser of its own: pass isNew'

/** Pages of browsers that are shared, by their settings and purpose. */
const shared = new Map<string, Page>()

/**
 * A browser with its own cookies and settings. When the test ends, its pages are closed, and the
 * test fails if one of them logged an error, violated its policy or asked another origin.
 */
export async function newBrowser(visit: Visit = {}): Promise<BrowserContext> {
  await Promise.all([...shared.values()].map(empty))
  return visit.origins || visit.isNew ? startBrowser(visit) : emptyBrowser(visit)
}

async function startBrowser(visit: Visit): Promise<BrowserContext> {
  const { as = SUPER_ADMIN, theme = 'light', language = 'en' } = visit
  const { width = 1_440, height = 900, origins = [process.env.APP_URL!] } = visit
  const chromium = await startChromium()
  const context = await chromium.newContext({
    baseURL: origins[0],
    ...(as !== null && { storageState: await sessionState(as, origins[0]) }),
    viewport: { width, height },
    colorScheme: theme,
    locale: LOCALES[language],
    timezoneId: 'Europe/Prague',
    reducedMotion: 'reduce',
  })
  await watchPages(context, origins)
  return context
}

interface EmptyBrowser {
  context: BrowserContext
  /** Stays open, because a browser without pages takes longer to open one. */
  blank: Page
}

/** Of earlier tests, by their settings. */
const left = new Map<string, EmptyBrowser[]>()

/**
 * The browser of an earlier test with the same settings, without its pages, cookies, storage and
 * permissions, if there is one: a new one loads its first page in three times as long.
 */
async function emptyBrowser({ as = SUPER_ADMIN, ...settings }: Visit): Promise<BrowserContext> {
  const key = JSON.stringify(settings)
  const browser = left.get(key)?.pop() ?? (await startEmptyBrowser(settings))
  const { context, blank } = browser
  if (as !== null) {
    await context.addCookies([await sessionCookie(as)])
    await blank.evaluate(`localStorage.setItem('${SIGNED_IN.name}', '${SIGNED_IN.value}')`)
  }
  keepOpen(context, async (watch) => {
    const pages = context.pages().filter((page) => page !== blank)
    await Promise.all(pages.map((page) => page.close()))
    watch.pending.clear()
    await context.setOffline(false)
    await Promise.all([context.clearCookies(), context.clearPermissions(), context.unrouteAll()])
    await blank.evaluate('localStorage.clear()')
    if (await blank.evaluate<boolean>(HAS_OTHER_CLOCK)) throw new Error(NEEDS_NEW)
    keepOpen(context, async () => {})
    left.set(key, [...(left.get(key) ?? []), browser])
  })
  return context
}

async function startEmptyBrowser(settings: Visit): Promise<EmptyBrowser> {
  const context = await startBrowser({ ...settings, as: null })
  const blank = await context.newPage()
  await empty(blank)
  return { context, blank }
}

/**
 * Opens a page of the panel, signed in as a super admin unless `visit` says otherwise, and waits
 * until it has loaded.
 * @param path Below `/panel`, such as `/applications`
 */
export async function openPanel(path: string, visit: Visit = {}): Promise<Page> {
  const context = await newBrowser(visit)
  const page = await context.newPage()
  await page.goto(`/panel${path}`)
  await whenLoaded(page)
  return page
}

/**
 * A page of a browser that later tests with the same settings use as well, each with a session of
 * its own: a new browser takes five times as long. For tests that only look.
 */
export async function sharedPage(visit: Visit = {}, purpose = 'look'): Promise<Page> {
  const { as = SUPER_ADMIN, width = 1_440, height = 900 } = visit
  const key = JSON.stringify([purpose, visit])
  const existing = shared.get(key)
  if (existing) {
    await existing.unrouteAll()
    await existing.setViewportSize({ width, height })
    if (as !== null) await existing.context().addCookies([await sessionCookie(as)])
    return existing
  }
  const context = await emptyBrowser(visit)
  const page = await context.newPage()
  // What a page does where nothing may fail disturbs no other test.
  keepOpen(context, async ({ expected }) => {
    if (expected.length > 0) await empty(page)
  })
  shared.set(key, page)
  return page
}

/**
 * Shows nothing, from the origin of the service: for `about:blank`, Chromium starts another process
 * for what the page shows next.
 */
async function empty(page: Page) {
  if (page.url().endsWith(NOTHING)) return
  await page.route(/./, (route) => route.fulfill({ contentType: 'text/html', body: NO_ICON }))
  await page.goto(NOTHING)
}

/** Like `openPanel`, in a shared page. */
export async function lookAt(path: string, visit: Visit = {}): Promise<Page> {
  const page = await sharedPage(visit)
  await page.goto(`/panel${path}`)
  await whenLoaded(page)
  return page
}

/** Looks at a page while the API answers nothing but who is signed in. */
export async function lookAtFailing(path: string, visit: Visit = {}): Promise<Page> {
  const page = await sharedPage(visit, 'fail')
  const problem = { status: 500, code: 'INTERNAL_ERROR', detail: 'The service failed' }
  await page.route(/\/api\/(?!panel\/session$)/, (route) =>
    route.fulfill({
      status: problem.status,
      contentType: 'application/problem+json',
      body: JSON.stringify(problem),
    })
  )
  expectProblem(page, /status of 500/)
  await page.goto(`/panel${path}`)
  await whenLoaded(page)
  return page
}

/** What a browser has that has signed in. */
async function sessionState(email: string, origin: string) {
  const cookies = [await sessionCookie(email, origin)]
  return { cookies, origins: [{ origin, localStorage: [SIGNED_IN] }] }
}

/** The cookie of a new session. */
async function sessionCookie(email: string, origin = process.env.APP_URL!) {
  const secret = newSecret()
  const accessToken = await issuer.token(email)
  const tokens = { accessToken, expiresAt: Date.now() + HOUR_MS }
  await aSession(email, { secret, subject: subjectOf(email), tokens })
  return {
    name: SESSION_COOKIE,
    value: secret,
    domain: new URL(origin).hostname,
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'Strict' as const,
    expires: -1,
  }
}

/** Waits until a page has its heading, and neither requests nor parts that are loading. */
export async function whenLoaded(page: Page) {
  await eventually('the page has loaded', () => hasLoaded(page), LOAD_WITHIN_MS)
}

async function hasLoaded(page: Page) {
  if (!/\/panel(?:[/?]|$)/.test(page.url())) throw new Error(`The browser went to ${page.url()}`)
  if (!isQuiet(page) || !(await isComplete(page))) return false
  // What has arrived may cause the next request when it is drawn.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
  return isQuiet(page) && (await isComplete(page))
}

const isComplete = (page: Page) =>
  page.evaluate<boolean>(
    `document.querySelector('h1, h2') !== null && document.querySelector('[aria-busy=true]') === null`
  )

/** Waits until the page with this heading is shown. */
export async function whenShown(page: Page, heading: string) {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  await whenLoaded(page)
}
