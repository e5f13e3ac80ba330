import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import type { ApiClient } from '@japa/api-client'
import type { Locator, Page } from 'playwright-core'
import { projectPath } from '#core/process/root'
import Notification from '#app/notifications/models/notification'
import NotificationPreference from '#app/notifications/models/notification_preference'
import PushSubscription from '#app/notifications/models/push_subscription'
import User from '#app/profiles/models/user'
import { violations } from '#tests/helpers/accessibility'
import { aDigestedType } from '#tests/helpers/digests'
import { eventually } from '#tests/helpers/eventually'
import { aNotification } from '#tests/helpers/inbox'
import {
  Shop,
  bellOf,
  heardBy,
  itemOf,
  itemsOf,
  openInbox,
  panelOf,
  tokensOf,
  whenConnected,
} from '#tests/helpers/inbox_page'
import { isFocused } from '#tests/helpers/panel_parts'
import { anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'
import { VAPID, issuer } from '#tests/world/prepare'

/** In bytes, compressed with gzip. */
const MOST = 15_000
const FILE = join(projectPath(), 'packages/inbox/dist/concierge-inbox.js')

const HOSTILE = [
  '<script>alert(1)</script><p onclick="alert(1)" style="position:fixed;inset:0" class="panel">A <b id="panel">text</b></p>',
  '<svg><script>alert(1)</script><a href="https://evil.example">svg</a></svg>',
  '<a href="javascript:alert(1)">a</a><a href="java&#10;script:alert(1)">b</a><a href="data:text/html,x">c</a>',
  '<a href="mailto:ada@shop.example">mail</a>',
  '<a href="//evil.example/x">d</a><a href="https://shop.example/good" target="_self" rel="opener">good</a>',
  '<img src="http://evil.example/x.png" alt="A picture"><img src=x onerror="alert(1)">',
  '<form action="https://evil.example"><input name="password"><button>Send</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data="x"></object><embed src="x">',
  '<style>* { display: none }</style><link rel="stylesheet" href="https://evil.example/x.css">',
  '<textarea><p title="</textarea><img src=x onerror=alert(1)>"></textarea><td background="x">cell</td>',
  '<x-element onconnected=alert(1)>The end</x-element>',
  '<template><p>hidden</p></template><noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
].join('')
/** Of a browser that does not exist. */
const KEYS = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
}

let shop: Shop

const press = (within: Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true }).click()

/** The newest has the highest number. */
async function someMessages(email: string, count: number) {
  for (let number = 1; number <= count; number++) {
    await aNotification(email, {
      createdAt: DateTime.utc().minus({ minutes: count - number }),
      subject: `Message ${number}`,
      bodyText: `Text ${number}`,
    })
  }
}

/** A new application with a type that has digests, which this user has used. */
async function useApplication(client: ApiClient, email: string) {
  const application = await anApplication()
  const { code } = application
  await aDigestedType(application)
  const response = await signedIn(client, email).get(`/api/profile/me/apps/${code}`)
  response.assertStatus(200)
  return code
}

const openSettings = async (page: Page) => {
  await openInbox(page)
  await press(panelOf(page), 'Notification settings')
}

const counted = (page: Page, label: string) =>
  page.getByRole('button', { name: label, exact: true }).waitFor()

const stored = (email: string, subject: string) => Notification.findByOrFail({ email, subject })

test.group('The inbox component', (group) => {
  group.setup(async () => {
    shop = new Shop(process.env.APP_URL!)
    await shop.start()
    return () => shop.stop()
  })

  test(`has at most ${MOST} bytes`, ({ assert }) => {
    assert.isAtMost(gzipSync(readFileSync(FILE), { level: 9 }).length, MOST)
  })

  test('shows how many messages are unread, and each message', async ({ assert }) => {
    const email = uniqueEmail('inbox')
    await someMessages(email, 3)
    const page = await shop.open(email)
    await counted(page, 'Inbox, 3 unread messages')

    await openInbox(page)
    await itemsOf(page).nth(2).waitFor()
    assert.deepEqual(await itemsOf(page).getByRole('heading').allTextContents(), [
      'Unread: Message 3',
      'Unread: Message 2',
      'Unread: Message 1',
    ])
    await press(itemOf(page, 'Message 2'), 'Unread: Message 2')
    await itemOf(page, 'Message 2').getByText('Text 2').waitFor()
    await counted(page, 'Inbox, 2 unread messages')
    await eventually('it is read', async () => (await stored(email, 'Message 2')).readAt !== null)
    const [{ detail }] = await heardBy(page, 'open')
    assert.containSubset(detail, { item: { subject: 'Message 2', appCode: 'shop' } })

    await press(panelOf(page), 'Mark all as read')
    await counted(page, 'Inbox')
    const counts = await heardBy(page, 'unread-count')
    assert.deepEqual(counts.at(-1)?.detail, { count: 0 })
    assert.isNotNull((await stored(email, 'Message 1')).readAt)
  })

  test('loads more at the end of the list', async () => {
    const email = uniqueEmail('many')
    await someMessages(email, 60)
    const page = await shop.open(email)
    await openInbox(page)
    await itemOf(page, 'Message 60').focus()
    for (const last of [36, 11, 1]) {
      await itemsOf(page)
        .filter({ hasText: `Message ${last}` })
        .last()
        .waitFor()
      await page.keyboard.press('End')
    }
  })

  test('archives, snoozes and returns messages', async ({ assert }) => {
    const email = uniqueEmail('states')
    await someMessages(email, 3)
    const page = await shop.open(email)
    await whenConnected(page, 'live')
    await openInbox(page)
    const leaves = (subject: string) => itemOf(page, subject).waitFor({ state: 'detached' })

    await press(itemOf(page, 'Message 3'), 'Archive: Message 3')
    await leaves('Message 3')
    await press(itemOf(page, 'Message 2'), 'Snooze: Message 2')
    await press(page.getByRole('group', { name: 'Snooze until' }), /^Tomorrow morning/)
    await leaves('Message 2')
    await counted(page, 'Inbox, 1 unread message')
    const { archivedAt } = await stored(email, 'Message 3')
    const { snoozedUntil } = await stored(email, 'Message 2')
    assert.isNotNull(archivedAt)
    const tomorrow = DateTime.now().setZone('Europe/Prague').plus({ days: 1 })
    assert.equal(
      snoozedUntil!.toISO(),
      tomorrow.set({ hour: 8, minute: 0, second: 0, millisecond: 0 }).toUTC().toISO()
    )

    await press(panelOf(page), 'Archive')
    await press(itemOf(page, 'Message 3'), 'Move to inbox: Message 3')
    await page.getByText('No messages').waitFor()
    await press(panelOf(page), 'Snoozed')
    await itemOf(page, 'Message 2')
      .getByText(/^Snoozed until/)
      .waitFor()
    await press(itemOf(page, 'Message 2'), 'Snooze: Message 2')
    await press(itemOf(page, 'Message 2'), 'Show again now')
    await page.getByText('No messages').waitFor()
    await press(panelOf(page), 'All')
    await itemsOf(page).nth(2).waitFor()
    await counted(page, 'Inbox, 3 unread messages')
    assert.deepEqual(await heardBy(page, 'notification'), [])
  })

  test('reverts what the service refuses', async ({ assert }) => {
    const email = uniqueEmail('refused')
    await someMessages(email, 2)
    const page = await shop.open(email)
    await openInbox(page)
    await itemsOf(page).nth(1).waitFor()
    expectProblem(page, /status of 503/)
    await page.route('**/archive', (route) =>
      route.fulfill({ status: 503, body: '{}', headers: { 'access-control-allow-origin': '*' } })
    )
    await press(itemOf(page, 'Message 2'), 'Archive: Message 2')
    await page.getByRole('status').getByText('That did not work. Please try again.').waitFor()
    assert.equal(await itemsOf(page).count(), 2)
    const [{ detail }] = await heardBy(page, 'problem')
    assert.containSubset(detail, { error: { status: 503 } })
    await counted(page, 'Inbox, 2 unread messages')
  })

  test('works with the keyboard alone', async ({ assert }) => {
    const email = uniqueEmail('keys')
    await someMessages(email, 4)
    const page = await shop.open(email)
    await counted(page, 'Inbox, 4 unread messages')
    const { keyboard } = page
    const go = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key)
    }
    await page.getByRole('button', { name: 'Before' }).focus()
    await go('Tab', 'Enter')
    await itemsOf(page).nth(3).waitFor()
    assert.isTrue(await isFocused(panelOf(page)))
    await go('ArrowDown', 'ArrowDown')
    assert.isTrue(await isFocused(itemOf(page, 'Message 3')))
    await go('Enter')
    await page.getByText('Text 3').waitFor()
    await go('Space')
    await page.getByText('Text 3').waitFor({ state: 'detached' })
    await go('End')
    assert.isTrue(await isFocused(itemOf(page, 'Message 1')))
    await go('Home', 'Tab', 'Tab', 'Tab', 'Tab')
    assert.isTrue(await isFocused(page.getByRole('button', { name: 'Archive: Message 4' })))
    await go('Enter')
    await itemOf(page, 'Message 4').waitFor({ state: 'detached' })
    await eventually('the next message has the focus', () => isFocused(itemOf(page, 'Message 3')))

    await go('Tab', 'Tab', 'Tab', 'Enter', 'ArrowDown', 'Escape')
    const snooze = page.getByRole('button', { name: 'Snooze: Message 3' })
    assert.isTrue(await isFocused(snooze))
    assert.equal(await snooze.getAttribute('aria-expanded'), 'false')
    await go('Escape')
    await panelOf(page).waitFor({ state: 'hidden' })
    assert.isTrue(await isFocused(bellOf(page)))
    await go('Space', 'Shift+Tab', 'Shift+Tab')
    await panelOf(page).waitFor({ state: 'hidden' })
    assert.isTrue(await isFocused(page.getByRole('button', { name: 'Before' })))
  })

  test('renews a refused token once, for all requests', async ({ assert, cleanup }) => {
    const email = uniqueEmail('expired')
    await someMessages(email, 1)
    const original = shop.token
    cleanup(() => void (shop.token = original))
    shop.token = (user, renew) =>
      issuer.token(user, renew ? {} : { claims: { exp: Math.floor(Date.now() / 1000) - 600 } })
    const context = await shop.browser()
    const page = await shop.open(email, {}, context)
    expectProblem(page, /status of 401/)
    await counted(page, 'Inbox, 1 unread message')
    await openInbox(page)
    await itemOf(page, 'Message 1').waitFor()
    assert.deepEqual(await tokensOf(page), [false, true])
  })

  test('shows hostile bodies without what could harm the page', async ({ assert }) => {
    const email = uniqueEmail('hostile')
    await aNotification(email, {
      subject: '<img src=x onerror=alert(1)>',
      bodyHtml: HOSTILE,
      payload: { url: 'javascript:alert(2)' },
    })
    const page = await shop.open(email)
    page.on('dialog', () => assert.fail('A script ran'))
    // Chromium reports handlers also where none can run.
    expectProblem(page, /violates the following|policy violated/)
    await openInbox(page)
    await itemsOf(page).getByRole('button').first().click()
    const body = page.locator('[part=body]', { hasText: 'The end' })
    await body.waitFor()
    const shown = await page.evaluate<{ names: string[]; attributes: string[] }>(`(() => {
        const body = document.querySelector('concierge-inbox').shadowRoot.querySelector('[part=body]')
        const all = [...body.querySelectorAll('*')]
        const names = [...new Set(all.map((one) => one.localName))].sort()
        const attributes = all.flatMap((one) => [...one.attributes].map((a) => a.name + '=' + a.value))
        return { names, attributes: [...new Set(attributes)].sort() }
      })()`)
    assert.deepEqual(shown.names, ['a', 'b', 'p'])
    assert.deepEqual(shown.attributes, [
      'href=https://shop.example/good',
      'href=mailto:ada@shop.example',
      'rel=noopener noreferrer',
      'tabindex=0',
      'target=_blank',
    ])
    assert.equal(await itemsOf(page).getByRole('link').count(), 2)
    assert.equal(await page.locator('a[tabindex]:not([href])').count(), 0)
    assert.equal(await page.title(), 'Shop')
  })

  test('shows no table with millions of places', async ({ assert }) => {
    const email = uniqueEmail('spans')
    const row = `<tr>${'<td colspan="1000" rowspan="1000">x</td>'.repeat(10)}</tr>`
    const table = `<table><tr><td colspan="3">Usual</td></tr>${row.repeat(60)}</table>`
    await aNotification(email, { subject: 'A table', bodyHtml: `${table}<p>The end</p>` })
    const page = await shop.open(email)
    await openInbox(page)
    await itemsOf(page).getByRole('button').first().click()
    await page.locator('[part=body]', { hasText: 'The end' }).waitFor()
    assert.equal(await page.locator('[part=body] td').count(), 601)
    assert.equal(await page.locator('[part=body] td[colspan="3"]').count(), 1)
    assert.equal(await page.locator('[part=body] td[colspan="1000"], [rowspan="1000"]').count(), 0)
  })

  test('saves preferences, and offers push', async ({ client, assert, cleanup }) => {
    const email = uniqueEmail('settings')
    await useApplication(client, email)
    const page = await shop.open(email, { attributes: 'service-worker="/service-worker.js"' })
    await openSettings(page)
    const checkbox = page.getByRole('checkbox', { name: 'Generic: E-mail' })
    await checkbox.uncheck()
    await page.getByRole('status').getByText('Saved').waitFor()
    const user = await User.findByOrFail({ email })
    const preference = await NotificationPreference.findByOrFail({ userId: user.id })
    assert.isFalse(preference.email)

    const device = page.getByRole('checkbox', { name: /^Notifications on this device/ })
    assert.isFalse(await device.isChecked())
    await page.context().grantPermissions(['notifications'])
    // The push service of the browser is on the internet.
    await page.evaluate(`PushManager.prototype.getSubscription = async () => ({
      unsubscribe: async () => (globalThis.hasLeft = true),
    })`)
    await page.evaluate(`PushManager.prototype.subscribe = async (options) => {
      if (!globalThis.hasLeft) throw new DOMException('Another key', 'InvalidStateError')
      globalThis.subscribedWith = options.applicationServerKey
      return {
        unsubscribe: async () => true,
        toJSON: () => ({ endpoint: 'https://push.example.com/1', keys: ${JSON.stringify(KEYS)} }),
      }
    }`)
    await device.click()
    const found = await eventually('it is subscribed', async () => {
      return (await PushSubscription.findBy('endpoint', 'https://push.example.com/1')) ?? undefined
    })
    cleanup(async () => void (await found.delete()))
    assert.equal(await page.evaluate('subscribedWith'), VAPID.publicKey)
    assert.equal(found.vapidPublicKey, VAPID.publicKey)
    await press(panelOf(page), 'Back to messages')
    await page.getByText('No messages').waitFor()
  })

  test('saves the last of two quick choices', async ({ client, assert }) => {
    const email = uniqueEmail('quick')
    const code = await useApplication(client, email)
    // An application that does not exist hides no others.
    const page = await shop.open(email, { attributes: `applications="${code} nowhere"` })
    expectProblem(page, /status of 404/)
    const { promise: isChosen, resolve: release } = Promise.withResolvers<void>()
    let requests = 0
    await page.route('**/preferences/*', async (route) => {
      if (route.request().method() === 'PUT' && requests++ === 0) await isChosen
      await route.continue()
    })
    await openSettings(page)
    const checkbox = page.getByRole('checkbox', { name: 'Generic: E-mail' })
    await checkbox.uncheck()
    await eventually('the first is being saved', () => requests === 1)
    await checkbox.check()
    release()
    await page.getByRole('status').getByText('Saved').waitFor()
    assert.isTrue(await checkbox.isChecked())
    const user = await User.findByOrFail({ email })
    const preference = await NotificationPreference.findByOrFail({ userId: user.id })
    assert.deepEqual([preference.email, requests], [true, 2])
  })

  test('offers the digests that a type allows', async ({ client, assert }) => {
    const email = uniqueEmail('digest')
    await useApplication(client, email)
    const page = await shop.open(email)
    await openSettings(page)
    const digest = page.getByRole('combobox', { name: 'A type: E-mail' })
    assert.equal(await digest.inputValue(), 'daily')
    assert.deepEqual(await digest.getByRole('option').allTextContents(), [
      'E-mails at once',
      'E-mails hourly',
      'E-mails daily',
      'E-mails weekly',
    ])
    assert.equal(await page.getByRole('combobox').count(), 1)
    await digest.selectOption('weekly')
    await page.getByRole('status').getByText('Saved').waitFor()
    const user = await User.findByOrFail({ email })
    const preference = await NotificationPreference.findByOrFail({ userId: user.id })
    assert.equal(preference.digest, 'weekly')
  })

  test('sets quiet hours', async ({ client, assert }) => {
    const email = uniqueEmail('quiet')
    const person = signedIn(client, email)
    const page = await shop.open(email)
    await openSettings(page)
    const hours = page.getByRole('checkbox', { name: /^Quiet hours/ })
    await page.getByText(/wait until they end \(Europe\/Prague\)/).waitFor()
    const from = page.getByLabel('Quiet hours: From')
    assert.isFalse(await hours.isChecked())
    await hours.check()
    const saved = page.getByRole('status').getByText('Saved')
    await saved.waitFor()
    await from.fill('21:30')
    const expected = {
      enabled: true,
      timeZone: 'Europe/Prague',
      windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '21:30', to: '07:00' }],
    }
    await eventually('both are saved', async () => {
      const response = await person.get('/api/profile/me/quiet-hours')
      return response.body().response.windows[0]?.from === '21:30'
    })
    const set = await person.get('/api/profile/me/quiet-hours')
    assert.deepEqual(set.body().response, expected)

    expectProblem(page, /status of 400/)
    await from.fill('07:00')
    await page.getByRole('status').getByText('That did not work').waitFor()
    assert.equal(await from.inputValue(), '21:30')

    const weekend = { days: [6, 7], from: '00:00', to: '12:00' }
    const several = { ...expected, timeZone: 'UTC', windows: [...expected.windows, weekend] }
    const changed = await person.put('/api/profile/me/quiet-hours', several)
    changed.assertStatus(200)
    await press(panelOf(page), 'Back to messages')
    await press(panelOf(page), 'Notification settings')
    await page.getByText(/wait until they end \(UTC\)/).waitFor()
    assert.equal(await from.count(), 0)
    await hours.uncheck()
    await saved.waitFor()
    const after = await person.get('/api/profile/me/quiet-hours')
    assert.deepEqual(after.body().response, { ...several, enabled: false })
  })

  test('shows the push messages of someone else as switched off', async ({
    client,
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail('shared')
    const page = await shop.open(email, { attributes: 'service-worker="/service-worker.js"' })
    await page.context().grantPermissions(['notifications'])
    // Someone who used this browser before has subscribed it.
    const endpoint = `https://push.example.com/${email}`
    await page.evaluate(`navigator.serviceWorker.getRegistration = async () => {
      return { pushManager: { getSubscription: async () => ({ endpoint: '${endpoint}' }) } }
    }`)
    await openSettings(page)
    const device = page.getByRole('checkbox', { name: /^Notifications on this device/ })
    await device.waitFor()
    assert.isFalse(await device.isChecked())

    const subscription = { endpoint, keys: KEYS }
    const own = await signedIn(client, email).post('/api/profile/me/push/subscribe', {
      subscription,
    })
    own.assertStatus(201)
    cleanup(async () => void (await PushSubscription.query().where({ endpoint }).delete()))
    await press(panelOf(page), 'Back to messages')
    await press(panelOf(page), 'Notification settings')
    await device.waitFor()
    assert.isTrue(await device.isChecked())
  })

  test('fills the screen of a phone', async ({ assert }) => {
    const email = uniqueEmail('phone')
    await someMessages(email, 30)
    const page = await shop.open(email, { width: 360, height: 640 })
    await openInbox(page)
    await itemsOf(page).first().waitFor()
    const box = await panelOf(page).boundingBox()
    assert.deepEqual(box, { x: 0, y: 0, width: 360, height: 640 })
    const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    assert.isFalse(overflow)
    assert.deepEqual(await violations(page), [])
  })

  for (const language of ['en', 'cs'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      test(`is accessible, ${theme}, in ${language}`, async ({ client, assert }) => {
        const email = uniqueEmail('axe')
        const code = await useApplication(client, email)
        const page = await shop.open(email, { language, theme })
        const check = async (what: string) =>
          assert.deepEqual(await violations(page), [], `${what}, ${theme}, ${language}`)
        await check('closed')
        await openInbox(page)
        await page.getByText(/^(No messages|Žádné zprávy)$/).waitFor()
        await check('empty')

        await someMessages(email, 1)
        await aNotification(email, {
          bodyHtml: '<h1>Hi</h1><p>A <a href="https://shop.example">link</a></p>',
        })
        await page.reload()
        await openInbox(page)
        const first = itemsOf(page).first()
        await first.getByRole('button').first().click()
        await first.getByRole('link').waitFor()
        await first.getByRole('button', { name: /^(Snooze|Odložit):/ }).click()
        await check('full')
        await panelOf(page)
          .getByRole('button', { name: /^(Notification settings|Nastavení)/ })
          .click()
        await page.getByRole('table', { name: code }).getByRole('checkbox').first().waitFor()
        await check('settings')

        expectProblem(page, /net::ERR_FAILED|Failed to load/)
        await page.route('**/api/**', (route) => route.abort())
        await page.reload()
        await openInbox(page)
        await page
          .getByRole('alert')
          .getByText(/^(This could not|Nepodařilo se)/)
          .waitFor()
        await check('failing')
      })
    }
  }
})
