import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { eventually } from '#tests/helpers/eventually'
import { aNotification } from '#tests/helpers/inbox'
import {
  Shop,
  heardBy,
  itemOf,
  itemsOf,
  openInbox,
  panelOf,
  whenConnected,
} from '#tests/helpers/inbox_page'
import { anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'
import { issuer } from '#tests/world/prepare'

let shop: Shop

/** As a page does where someone else signs in. */
const signIn = (page: Page, email: string) =>
  page.evaluate(`document.querySelector('concierge-inbox').getToken = async ({ renew }) => {
    const response = await fetch('/token?email=${email}&renew=' + renew)
    return response.text()
  }`)

test.group('The inbox component and its users', (group) => {
  group.setup(async () => {
    shop = new Shop(process.env.APP_URL!)
    await shop.start()
    return () => shop.stop()
  })

  test('ends what a user has begun when another one signs in', async ({ assert }) => {
    const [former, next] = [uniqueEmail('former'), uniqueEmail('next')]
    await aNotification(former, { subject: 'For the former' })
    await aNotification(next, { subject: 'For the next' })
    const page = await shop.open(former)
    await openInbox(page)
    const { promise: isOther, resolve: answer } = Promise.withResolvers<void>()
    const archived: string[] = []
    expectProblem(page, /status of 401/)
    await page.route('**/archive', async (route) => {
      archived.push(route.request().url())
      await isOther
      const headers = { 'access-control-allow-origin': '*' }
      await route.fulfill({ status: 401, body: '{}', headers })
    })
    await itemOf(page, 'For the former')
      .getByRole('button', { name: /^Archive/ })
      .click()
    await eventually('it is asked', () => archived.length === 1)
    await signIn(page, next)
    await itemOf(page, 'For the next').waitFor()
    const isAnswered = page.waitForResponse('**/archive')
    answer()
    await isAnswered
    await page.evaluate('document.querySelector("concierge-inbox").refresh()')
    assert.lengthOf(archived, 1)
    assert.equal(await itemsOf(page).count(), 1)
    assert.equal(await page.getByRole('status').textContent(), '')
    assert.deepEqual(await heardBy(page, 'problem'), [])
  })

  test('never uses a token that was asked of a former user', async ({ assert, cleanup }) => {
    const [former, next] = [uniqueEmail('former'), uniqueEmail('next')]
    const original = shop.token
    cleanup(() => void (shop.token = original))
    const { promise: isOther, resolve: answer } = Promise.withResolvers<void>()
    const formerToken = await issuer.token(former)
    shop.token = async (email) => {
      if (email !== former) return issuer.token(email)
      await isOther
      return formerToken
    }
    const page = await shop.open(former)
    const tokens: (string | undefined)[] = []
    page.on('request', (request) => tokens.push(request.headers().authorization))
    await signIn(page, next)
    const isAnswered = page.waitForResponse((response) =>
      response.url().includes(encodeURIComponent(former))
    )
    answer()
    await isAnswered
    await whenConnected(page, 'live')
    assert.notInclude(tokens, `Bearer ${formerToken}`)
  })

  test('forgets the preferences of a former user', async ({ client }) => {
    const [former, next] = [uniqueEmail('former'), uniqueEmail('next')]
    const { code } = await anApplication()
    const used = await signedIn(client, former).get(`/api/profile/me/apps/${code}`)
    used.assertStatus(200)
    const page = await shop.open(former)
    await openInbox(page)
    await panelOf(page).getByRole('button', { name: 'Notification settings' }).click()
    await page.getByRole('table', { name: code }).waitFor()
    await signIn(page, next)
    await page.getByText('No types of messages yet').waitFor()
    await page.getByRole('table').waitFor({ state: 'detached' })
  })

  test('asks the origin of the page unless it has another address', async () => {
    const page = await shop.open(uniqueEmail('origin'))
    await page.goto(page.url().replace('/?', '/some/page?'))
    const asked = page.waitForRequest(`${shop.url}/api/profile/me/notifications/inbox/unread-count`)
    // It would lead the token elsewhere.
    await page.evaluate(`document.head.insertAdjacentElement(
      'afterbegin', Object.assign(document.createElement('base'), { href: '${process.env.APP_URL}' })
    )`)
    await page.evaluate('document.querySelector("concierge-inbox").removeAttribute("base-url")')
    await asked
  })
})
