import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { lookAt, openPanel, sharedPage } from '#tests/helpers/open_panel'
import { fullScene, hostileScene, ordinaryScene } from '#tests/helpers/panel_scenes'
import { expectProblem } from '#tests/helpers/watch_pages'
import { SCREENS, pathOf, titleOf } from '#tests/browser/screens'

const WIDTHS = [375, 768, 1_440]

/** Elements that scroll sideways, except those made for it: the matrix and code. */
const SIDEWAYS = `[...document.querySelectorAll('*')].filter((element) => {
  if (element.scrollWidth <= element.clientWidth + 1) return false
  if (element.closest('[role=grid], pre, code, input, textarea')) return false
  if (element.querySelector('[role=grid]')) return false
  const isPage = element === document.documentElement
  return isPage || ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
}).map((element) => element.outerHTML.slice(0, 200) + ' ' + element.scrollWidth)`

/** @throws Error if the page scrolls sideways at one of the widths */
async function requireWidth(page: Page) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const found = await page.evaluate<string[]>(SIDEWAYS)
    if (found.length > 0) throw new Error(`Scrolls sideways at ${width} px:\n${found.join('\n')}`)
  }
}

test.group('The list of screens', () => {
  test('has all routes of the panel', async ({ assert }) => {
    const page = await openPanel('/sessions')
    const routes = await page.evaluate<{ path: string; redirect?: unknown }[]>(
      `document.querySelector('#app').__vue_app__.config.globalProperties.$router.getRoutes()
        .map(({ path, redirect }) => ({ path, redirect: redirect && true }))`
    )
    assert.sameMembers(
      SCREENS.map(({ route }) => route),
      routes.filter(({ redirect }) => !redirect).map(({ path }) => path)
    )
  })
})

for (const screen of SCREENS) {
  test.group(`The screen ${titleOf(screen)}`, () => {
    test('has one heading, which the title of the page names, and its width', async ({
      assert,
    }) => {
      const page = await lookAt(pathOf(screen, await ordinaryScene()))
      const headings = await page.getByRole('heading', { level: 1 }).allTextContents()
      assert.lengthOf(headings, 1)
      const heading = headings[0].trim()
      if (screen.heading) assert.equal(heading, screen.heading)
      assert.notEqual(heading, '')
      assert.include(await page.title(), heading)
      await requireWidth(page)
    })

    test('shows hostile names as text, within its width', async ({ assert }) => {
      const page = await lookAt(pathOf(screen, await hostileScene()))
      await requireWidth(page)
      assert.isFalse(await page.evaluate<boolean>('"wasRun" in globalThis'))
    })

    test('shows a large application', async ({ assert }) => {
      const page = await lookAt(pathOf(screen, await fullScene()))
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1)
    })

    test('leads to the sign-in, with its address', async ({ assert }) => {
      const path = `/panel${pathOf(screen, await ordinaryScene())}`
      const page = await sharedPage({ as: null })
      expectProblem(page, /status of 401/)
      // The provider of this service has no pages.
      await page.route(/\/panel\/login/, (route) => route.fulfill({ body: 'Sign in' }))
      await page.goto(path)
      await page.waitForURL(/\/panel\/login/)
      assert.equal(new URL(page.url()).searchParams.get('return_to'), path)
    })
  })
}
