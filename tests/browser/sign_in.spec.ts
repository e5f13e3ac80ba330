import { test } from '@japa/runner'
import type { BrowserContext, Page } from 'playwright-core'
import PanelSession from '#app/auth/models/panel_session'
import { SESSION_COOKIE } from '#app/auth/session/session_cookie'
import Brand from '#app/platform/models/brand'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/main'
import { newBrowser, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { type PanelWorld, startPanelWorld } from '#tests/helpers/panel_world'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { expectProblem } from '#tests/helpers/watch_pages'

const [ada, grace] = DEVELOPMENT_ACCOUNTS

test.group('Signing in to the panel, in a browser', (group) => {
  let world: PanelWorld

  group.setup(async () => {
    world = await startPanelWorld({ SUPER_ADMINS: `${SUPER_ADMIN},${ada.email},${grace.email}` })
    return () => world.end()
  })

  const browserOf = () => newBrowser({ as: null, origins: [world.url, world.provider.issuer] })

  /** Continues at the provider. */
  async function signIn(page: Page, { displayName } = ada) {
    await page.getByRole('button', { name: displayName }).click()
    await page.waitForURL(`${world.url}/panel**`)
  }

  const secretOf = async (context: BrowserContext) =>
    (await context.cookies()).find(({ name }) => name === SESSION_COOKIE)?.value

  test('takes two clicks from the address of the service', async ({ assert }) => {
    const page = await (await browserOf()).newPage()
    await page.goto('/panel')
    await signIn(page)
    await whenLoaded(page)
    await page.getByRole('button', { name: ada.displayName }).waitFor()
    assert.equal(new URL(page.url()).origin, world.url)
  })

  test('comes back to the page that was asked for', async ({ assert }) => {
    const page = await (await browserOf()).newPage()
    const path = '/panel/apps?search=a%20b%26c'
    await page.goto(path)
    await signIn(page)
    await whenLoaded(page)
    const { pathname, searchParams } = new URL(page.url())
    assert.equal(pathname, '/panel/apps')
    assert.equal(searchParams.get('search'), 'a b&c')
  })

  test('comes back to an address that is too long for the service', async ({ assert }) => {
    const page = await (await browserOf()).newPage()
    const search = 'ž'.repeat(90)
    await page.goto(`/panel/apps?search=${encodeURIComponent(search)}`)
    await signIn(page)
    await whenLoaded(page)
    const { pathname, searchParams } = new URL(page.url())
    assert.equal(pathname, '/panel/apps')
    assert.equal(searchParams.get('search'), search)
  })

  test('again, in the middle of a form, keeps what was typed', async ({ assert }) => {
    const page = await (await browserOf()).newPage()
    await page.goto('/panel/apps?new=1')
    await signIn(page)
    await whenLoaded(page)
    const code = uniqueCode()
    await page.getByRole('textbox', { name: 'Code' }).fill(code)
    await page.getByRole('textbox', { name: 'Name' }).fill('Typed before')
    await PanelSession.query().where({ email: ada.email }).delete()
    expectProblem(page, /status of 401/)
    // The provider still knows who it is.
    const callback = page.waitForRequest(/\/panel\/callback/)
    await page.getByRole('button', { name: 'Create' }).click()
    await callback
    await page.waitForURL(/\/panel\/apps\?new=1/)
    await whenLoaded(page)
    assert.equal(await page.getByRole('textbox', { name: 'Code' }).inputValue(), code)
    await page.getByRole('button', { name: 'Create' }).click()
    await whenShown(page, 'Typed before')
  })

  test('again, in the middle of a form, keeps no password', async ({ assert }) => {
    const { id } = await Brand.create({ slug: uniqueCode('brand'), name: 'Acme', isDefault: false })
    const page = await (await browserOf()).newPage()
    await page.goto(`/panel/brands/${id}`)
    await signIn(page)
    await whenLoaded(page)
    await page.getByRole('checkbox', { name: 'Own mail server' }).check()
    await page.getByRole('textbox', { name: 'Host' }).fill('smtp.acme.example')
    await page.getByRole('textbox', { name: 'User', exact: true }).fill('shop')
    await page.getByRole('textbox', { name: 'Password' }).fill('S3cret')
    await PanelSession.query().where({ email: ada.email }).delete()
    expectProblem(page, /status of 401/)
    const callback = page.waitForRequest(/\/panel\/callback/)
    await page.getByRole('button', { name: 'Save' }).last().click()
    await callback
    await page.waitForURL(`**/panel/brands/${id}`)
    await whenLoaded(page)
    const host = page.getByRole('textbox', { name: 'Host' })
    assert.equal(await host.inputValue(), 'smtp.acme.example')
    assert.equal(await page.getByRole('textbox', { name: 'Password' }).inputValue(), '')
  })

  test('again as someone else, shows nothing that the other person typed', async ({ assert }) => {
    const context = await browserOf()
    const page = await context.newPage()
    await page.goto('/panel/suppressions?new=1')
    await signIn(page)
    await whenLoaded(page)
    const address = page.getByRole('dialog').getByRole('textbox', { name: 'Address' })
    await address.fill(uniqueEmail())
    // Neither the service nor the provider knows any longer who it was.
    await context.clearCookies()
    expectProblem(page, /status of 401/)
    await page.getByRole('button', { name: 'Add', exact: true }).last().click()
    await signIn(page, grace)
    await page.waitForURL(/\/panel\/suppressions\?new=1/)
    await whenLoaded(page)
    assert.equal(await address.inputValue(), '')
    const kept = await page.evaluate<string>('JSON.stringify(sessionStorage)')
    assert.notInclude(kept, ada.email)
  })

  test('as someone else in another tab makes pages start again', async ({ assert }) => {
    const context = await browserOf()
    const page = await context.newPage()
    await page.goto('/panel/apps?new=1')
    await signIn(page)
    await whenLoaded(page)
    const code = page.getByRole('textbox', { name: 'Code' })
    await code.fill(uniqueCode())
    await context.clearCookies()
    const other = await context.newPage()
    expectProblem(other, /status of 401/)
    await other.goto('/panel')
    await signIn(other, grace)
    const menu = { name: grace.displayName, includeHidden: true }
    await page.getByRole('button', menu).waitFor()
    await whenLoaded(page)
    assert.equal(await code.inputValue(), '')
  })

  for (const elsewhere of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
    test(`stays in the panel when it should return to ${elsewhere}`, async ({ assert }) => {
      const page = await (await browserOf()).newPage()
      await page.goto(`/panel/login?return_to=${encodeURIComponent(elsewhere)}`)
      await signIn(page)
      await whenLoaded(page)
      assert.equal(new URL(page.url()).origin, world.url)
    })
  }

  test('does not take over a planted session', async ({ assert }) => {
    const context = await browserOf()
    const planted = 'p'.repeat(43)
    const { hostname: domain } = new URL(world.url)
    const cookie = { name: SESSION_COOKIE, value: planted, domain, path: '/', secure: true }
    await context.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
    const page = await context.newPage()
    await page.goto('/panel')
    expectProblem(page, /status of 401/)
    await signIn(page)
    await whenLoaded(page)
    assert.match((await secretOf(context))!, /^[\w-]{43}$/)
    assert.notEqual(await secretOf(context), planted)
  })

  test('is refused when the callback is used again', async ({ assert }) => {
    const page = await (await browserOf()).newPage()
    const callback = page.waitForRequest(/\/panel\/callback/)
    await page.goto('/panel')
    await signIn(page)
    await whenLoaded(page)
    expectProblem(page, /status of 400/)
    const response = await page.goto((await callback).url())
    assert.equal(response!.status(), 400)
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await page.getByRole('link', { name: 'Sign in again' }).waitFor()
  })

  test('ends in all browsers, and at the provider in the one where it was asked for', async ({
    assert,
  }) => {
    const [mine, another] = [await browserOf(), await browserOf()]
    for (const context of [another, mine]) {
      const page = await context.newPage()
      await page.goto('/panel/sessions')
      await signIn(page)
      await whenLoaded(page)
    }
    const [page] = mine.pages()
    const rows = page.getByRole('table').getByRole('row')
    await rows.nth(2).waitFor()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL(`${world.provider.issuer}/**id_token_hint=**`)
    assert.isEmpty(await PanelSession.query().where({ email: ada.email }))
    const response = await another.request.get(`${world.url}/api/panel/session`, {
      headers: { 'x-concierge-panel': '1' },
    })
    assert.equal(response.status(), 401)
  })

  test('ends with a sign-out, after which the cookie is worth nothing', async ({ assert }) => {
    const context = await browserOf()
    const page = await context.newPage()
    await page.goto('/panel')
    await signIn(page)
    await whenLoaded(page)
    const cookies = await context.cookies()
    await page.getByRole('button', { name: ada.displayName }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(`${world.provider.issuer}/**`)
    assert.isUndefined(await secretOf(context))

    const thief = await browserOf()
    await thief.addCookies(cookies)
    const response = await thief.request.get(`${world.url}/api/panel/session`, {
      headers: { 'x-concierge-panel': '1' },
    })
    assert.equal(response.status(), 401)
  })

  test('lasts, and says so, if the service cannot end it', async ({ assert }) => {
    const page = await (await browserOf()).newPage()
    await page.goto('/panel/sessions')
    await signIn(page)
    await whenLoaded(page)
    await page.route('**/panel/logout', (route) => route.fulfill({ status: 503, body: '{}' }))
    expectProblem(page, /status of 503/)
    await page.getByRole('button', { name: ada.displayName }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('You are still signed in').first().waitFor()
    assert.equal(new URL(page.url()).pathname, '/panel/sessions')
  })
})
