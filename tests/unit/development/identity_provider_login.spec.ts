import { test } from '@japa/runner'
import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_PASSWORD } from '#development/identity_provider/main'
import { Browser } from '#tests/helpers/browser'
import { idp, beginProvider } from '#tests/unit/development/provider_under_test'
import { REDIRECT_URI, beginSignIn } from '#tests/unit/development/sign_in'

const [ada, , alan] = DEVELOPMENT_ACCOUNTS

test.group('Development identity provider, login page', (group) => {
  group.setup(beginProvider)

  test('loads no resources, runs no scripts and offers the ready-made accounts', async ({
    assert,
  }) => {
    const { page } = await beginSignIn(idp.issuer, new Browser())
    const body = await page.text()
    const policy = page.headers.get('content-security-policy')!

    assert.equal(page.status, 200)
    assert.include(policy, "default-src 'none'")
    assert.notInclude(policy, 'unsafe')
    assert.include(policy, new URL(REDIRECT_URI).origin)
    assert.notMatch(body, /<script|https?:\/\//)
    for (const { email } of DEVELOPMENT_ACCOUNTS) {
      assert.include(body, `name="email" value="${email}"`)
    }
  })

  test('refuses a wrong password with 401 and keeps the e-mail', async ({ assert }) => {
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    const email = '"><b>x</b>@acme.example'
    const refused = await browser.submit(page.url, { email, password: 'wrong' })
    const body = await refused.text()

    assert.equal(refused.status, 401)
    assert.include(body, 'role="alert"')
    assert.include(body, '&#34;&#62;&#60;b&#62;x')
    assert.notInclude(body, '<b>x')

    const retried = await browser.submit(page.url, { email: ada.email, password: 'concierge' })
    assert.isTrue((await browser.follow(retried)).headers.get('location')!.includes('code='))
  })

  test('refuses an invalid e-mail address with 400', async ({ assert }) => {
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    const refused = await browser.submit(page.url, { email: 'ada', password: DEVELOPMENT_PASSWORD })
    assert.equal(refused.status, 400)
  })

  test('prefills the e-mail address that an application suggests', async ({ assert }) => {
    const { page } = await beginSignIn(idp.issuer, new Browser(), { login_hint: 'x@acme.example' })
    assert.include(await page.text(), 'value="x@acme.example"')
  })

  test('shows a page for an unknown sign-in', async ({ assert }) => {
    const response = await fetch(`${idp.issuer}/ui/login/unknown`)
    assert.equal(response.status, 400)
    assert.include(await response.text(), 'try again')
  })

  test('shows errors of the authorization request on a page', async ({ assert }) => {
    const url = `${idp.issuer}/oauth/v2/authorize?client_id=%3Cb%3Enobody`
    const response = await fetch(url, { headers: { accept: 'text/html' } })
    const body = await response.text()
    assert.equal(response.status, 400)
    assert.include(body, 'invalid_client')
    assert.notInclude(body, '<b>nobody')
    assert.include(response.headers.get('content-security-policy')!, "default-src 'none'")
  })

  test('remembers the account until an application requests another', async ({ assert }) => {
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    await browser.follow(
      await browser.submit(page.url, { email: ada.email, password: 'concierge' })
    )

    const silent = await beginSignIn(idp.issuer, browser)
    assert.match(silent.page.headers.get('location')!, /^http:\/\/127\.0\.0\.1:3333\/.*code=/)

    for (const prompt of ['login', 'select_account']) {
      const asked = await beginSignIn(idp.issuer, browser, { prompt })
      assert.include(asked.page.url, '/ui/login/')
    }
    const consenting = await beginSignIn(idp.issuer, browser, { prompt: 'consent' })
    assert.include(consenting.page.headers.get('location')!, 'code=')
  })

  test('lets another account sign in with the same browser', async ({ assert }) => {
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    await browser.follow(
      await browser.submit(page.url, { email: ada.email, password: 'concierge' })
    )

    const { page: asked } = await beginSignIn(idp.issuer, browser, { prompt: 'login' })
    const fields = { email: alan.email, password: 'concierge' }
    const handover = await browser.follow(await browser.submit(asked.url, fields))
    // The library ends the first session with a page that submits itself.
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await handover.text())![1]
    const confirm = `${idp.issuer}/oidc/v1/end_session/confirm`
    const done = await browser.follow(await browser.submit(confirm, { xsrf, logout: 'yes' }))
    assert.include(done.headers.get('location')!, 'code=')
  })

  test('signs out after one confirmation', async ({ assert }) => {
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    await browser.follow(
      await browser.submit(page.url, { email: ada.email, password: 'concierge' })
    )

    const question = await (await browser.get(`${idp.issuer}/oidc/v1/end_session`)).text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(question)![1]
    const confirm = `${idp.issuer}/oidc/v1/end_session/confirm`
    const done = await browser.follow(await browser.submit(confirm, { xsrf, logout: 'yes' }))
    assert.include(await done.text(), 'Signed out')

    const next = await beginSignIn(idp.issuer, browser)
    assert.include(next.page.url, '/ui/login/')
  })
})
