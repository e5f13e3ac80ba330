import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import PanelSession from '#app/auth/models/panel_session'
import Application from '#app/applications/models/application'
import { newBrowser } from '#tests/helpers/open_panel'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'
import { TestHttpServer } from '#tests/world/http_server'
import SuperAdmin from '#app/permissions/models/super_admin'

/**
 * Another port is another origin of the same site, to which browsers send even strict cookies;
 * another host is another site.
 */
for (const [title, host] of [
  ['another origin of the same site', '127.0.0.1'],
  ['another site', 'localhost'],
] as const) {
  test.group(`A page of ${title}`, (group) => {
    const evil = new TestHttpServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>x</title>')
    })
    let victim: string

    group.setup(async () => {
      await evil.start()
      victim = uniqueEmail('victim')
      await SuperAdmin.create({ email: victim })
      return async () => {
        await SuperAdmin.query().where({ email: victim }).delete()
        await evil.stop()
      }
    })

    const service = () => process.env.APP_URL!

    /** A page of the attacker, in the browser of someone who is signed in. */
    async function lure(): Promise<Page> {
      const origin = `http://${host}:${new URL(evil.url).port}`
      const context = await newBrowser({ as: victim, origins: [service(), origin] })
      const page = await context.newPage()
      await page.goto(origin)
      expectProblem(page, /./)
      return page
    }

    const isSignedIn = async () => (await PanelSession.query().where({ email: victim })).length > 0

    test('cannot sign anyone out with a form', async ({ assert }) => {
      const page = await lure()
      await page.evaluate(submit(`${service()}/panel/logout`))
      await page.waitForURL(`${service()}/panel/logout`)
      assert.isTrue(await isSignedIn())
    })

    test('cannot change anything with a form', async ({ assert }) => {
      const page = await lure()
      const code = uniqueCode()
      await page.evaluate(submit(`${service()}/api/applications`, { code, name: 'Forged' }))
      await page.waitForURL(`${service()}/api/applications`)
      assert.isNull(await Application.findBy({ code }))
    })

    for (const [kind, headers] of [
      ['of a simple kind', {}],
      ['with the header of the panel', { 'x-concierge-panel': '1' }],
    ] as const) {
      test(`cannot change anything with a request ${kind}`, async ({ assert }) => {
        const page = await lure()
        const code = uniqueCode()
        const init = {
          method: 'POST',
          credentials: 'include',
          headers: { 'content-type': 'text/plain', ...headers },
          body: JSON.stringify({ code, name: 'Forged' }),
        }
        assert.isFalse(await isReadable(page, `${service()}/api/applications`, init))
        const json = { ...init, headers: { 'content-type': 'application/json', ...headers } }
        assert.isFalse(await isReadable(page, `${service()}/api/applications`, json))
        assert.isNull(await Application.findBy({ code }))
      })

      test(`cannot read anything with a request ${kind}`, async ({ assert }) => {
        const page = await lure()
        const init = { credentials: 'include', headers }
        assert.isFalse(await isReadable(page, `${service()}/api/panel/session`, init))
      })
    }

    test('cannot show the panel in a frame', async () => {
      const page = await lure()
      await page.evaluate(
        `new Promise((done) => {
          const frame = document.createElement('iframe')
          frame.onload = done
          frame.src = '${service()}/panel/apps'
          document.body.append(frame)
        })`
      )
      const [frame] = page.mainFrame().childFrames()
      await frame.waitForURL('chrome-error://chromewebdata/')
    })

    test('cannot reach a window of the panel', async ({ assert }) => {
      const page = await lure()
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate(`void (globalThis.opened = window.open('${service()}/panel/apps'))`),
      ])
      await popup.waitForURL(/\/panel\/apps/)
      assert.isTrue(await page.evaluate<boolean>('globalThis.opened.closed'))
      assert.isTrue(await popup.evaluate<boolean>('window.opener === null'))
    })
  })
}

/** Source of a script that submits a form. */
const submit = (action: string, fields: Record<string, string> = {}) =>
  `(() => {
    const form = document.createElement('form')
    form.method = 'post'
    form.enctype = 'text/plain'
    form.action = ${JSON.stringify(action)}
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      form.append(Object.assign(document.createElement('input'), { name, value }))
    }
    document.body.append(form)
    form.submit()
  })()`

/** Whether a script of the page can read the response. */
const isReadable = (page: Page, url: string, init: object) =>
  page.evaluate<boolean>(
    `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then((response) => response.ok, () => false)`
  )
