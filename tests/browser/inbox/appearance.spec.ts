import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { projectPath } from '#core/process/root'
import { aNotification } from '#tests/helpers/inbox'
import {
  Shop,
  bellOf,
  itemOf,
  itemsOf,
  openInbox,
  panelOf,
  whenConnected,
} from '#tests/helpers/inbox_page'
import { uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

let shop: Shop

const textOf = (path: string) => readFileSync(join(projectPath(), 'packages/inbox', path), 'utf8')

/** What the section on appearance lists, such as `--concierge-accent` or `bell`. */
function described(pattern: RegExp) {
  const [, section] = /## Appearance\n([^]*?)\n## /.exec(textOf('README.md'))!
  return [...section.matchAll(pattern)].map(([, name]) => name)
}

/** Adds a style sheet, as the policy of the page allows. */
const style = (page: Page, css: string) =>
  page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(${JSON.stringify(css)})
    document.adoptedStyleSheets.push(sheet)
  }`)

const inside = (selector: string) =>
  `document.querySelector('concierge-inbox').shadowRoot.querySelector('${selector}')`

const computed = (page: Page, selector: string, property: string) =>
  page.evaluate<string>(`getComputedStyle(${inside(selector)})['${property}']`)

const partsOf = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelector('concierge-inbox').shadowRoot
    .querySelectorAll('[part]')].flatMap((one) => [...one.part])`)

test.group('The appearance of the inbox component', (group) => {
  group.setup(async () => {
    shop = new Shop(process.env.APP_URL!)
    await shop.start()
    return () => shop.stop()
  })

  test('follows the custom properties and parts that the page sets', async ({ assert }) => {
    const email = uniqueEmail('styled')
    await aNotification(email, { subject: 'Hello' })
    const page = await shop.open(email, { theme: 'dark' })
    await style(
      page,
      `concierge-inbox {
        --concierge-badge: light-dark(rgb(1, 2, 3), rgb(4, 5, 6));
        --concierge-bell-size: 60px;
        --concierge-surface: rgb(7, 8, 9);
        --concierge-width: 300px;
      }
      concierge-inbox::part(subject) { text-transform: uppercase }`
    )
    await openInbox(page)
    await itemOf(page, 'Hello').waitFor()
    assert.equal(await computed(page, '[part=badge]', 'backgroundColor'), 'rgb(4, 5, 6)')
    assert.isAtLeast((await bellOf(page).boundingBox())!.width, 60)
    assert.equal(await computed(page, '[part=panel]', 'backgroundColor'), 'rgb(7, 8, 9)')
    assert.equal((await panelOf(page).boundingBox())!.width, 300)
    assert.equal(await computed(page, '[part=subject]', 'textTransform'), 'uppercase')
  })

  test('has the custom properties that its page describes', ({ assert }) => {
    const used = textOf('src/style.css').matchAll(/var\(\s*(--concierge-[a-z-]+)/g)
    const names = new Set([...used].map(([, name]) => name))
    assert.sameMembers([...names], described(/`(--concierge-[a-z-]+)`/g))
  })

  test('has the parts that its page describes', async ({ assert }) => {
    const email = uniqueEmail('parts')
    const page = await shop.open(email, { attributes: 'service-worker="/service-worker.js"' })
    const { promise: isSeen, resolve: release } = Promise.withResolvers<void>()
    await page.route(/inbox\?limit/, async (route) => {
      await isSeen
      await route.continue()
    })
    const found = new Set<string>()
    const look = async () => {
      for (const part of await partsOf(page)) found.add(part)
    }
    await openInbox(page)
    await panelOf(page).getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Loading…').waitFor()
    await look()
    release()
    await page.getByText('No messages').waitFor()
    await look()
    await panelOf(page).getByRole('button', { name: 'All', exact: true }).click()
    await whenConnected(page, 'live')
    await aNotification(email, { subject: 'Hello', payload: { url: 'https://shop.example/1' } })
    await itemOf(page, 'Hello').getByRole('button').first().waitFor()
    await look()
    await itemOf(page, 'Hello').getByRole('button').first().click()
    await itemOf(page, 'Hello').getByRole('link').waitFor()
    await look()
    await panelOf(page).getByRole('button', { name: 'Notification settings' }).click()
    await page.getByRole('checkbox', { name: /^Quiet hours/ }).waitFor()
    await look()
    expectProblem(page, /net::ERR_FAILED|Failed to load/)
    await page.route('**/api/**', (route) => route.abort())
    await page.reload()
    await openInbox(page)
    await page.getByRole('alert').waitFor()
    await look()

    const [, list] = /Parts for `::part\(\)`: ([^.]*)\./.exec(textOf('README.md'))!
    const parts = [...list.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)
    const actions = [...found].filter((part) => part.startsWith('action-'))
    assert.sameMembers(
      [...found].filter((part) => !actions.includes(part)),
      parts
    )
  })

  test('moves nothing, so that it is calm for everyone', async ({ assert }) => {
    const email = uniqueEmail('calm')
    await aNotification(email, { subject: 'Hello' })
    const page = await shop.open(email)
    await openInbox(page)
    await itemOf(page, 'Hello').getByRole('button').first().click()
    await itemOf(page, 'Hello')
      .getByRole('button', { name: /^Snooze/ })
      .click()
    const moving = await page.evaluate<string[]>(`
      [...document.querySelector('concierge-inbox').shadowRoot.querySelectorAll('*')]
        .filter((one) => {
          const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(one)
          return animationName !== 'none' || transitionDuration !== '0s' || scrollBehavior !== 'auto'
        })
        .map((one) => one.localName + '.' + one.className)`)
    assert.deepEqual(moving, [])
    assert.equal(await page.evaluate('document.getAnimations().length'), 0)
  })

  test('returns closed where the page moves the element to', async ({ assert }) => {
    const email = uniqueEmail('moved')
    await aNotification(email, { subject: 'Hello' })
    const page = await shop.open(email)
    await openInbox(page)
    await itemOf(page, 'Hello').waitFor()
    await page.evaluate(`{
      const inbox = document.querySelector('concierge-inbox')
      document.querySelector('main').append(inbox)
      globalThis.wasOpen = inbox.isOpen
    }`)
    assert.isFalse(await page.evaluate('wasOpen'))
    await panelOf(page).waitFor({ state: 'hidden' })
    await whenConnected(page, 'live')
    await openInbox(page)
    await itemOf(page, 'Hello').waitFor()
    assert.equal(await itemsOf(page).count(), 1)
  })
})
