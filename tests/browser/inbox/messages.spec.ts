import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import type { Locator, Page } from 'playwright-core'
import { projectPath } from '#core/process/root'
import Notification from '#app/notifications/models/notification'
import { violations } from '#tests/helpers/accessibility'
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
} from '#tests/helpers/inbox_page'
import { isFocused } from '#tests/helpers/panel_parts'
import { uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'
import { issuer } from '#tests/world/prepare'

/** In bytes, compressed with gzip. */
const MOST = 15_000
const FILE = join(projectPath(), 'packages/inbox/dist/concierge-inbox.js')

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
      ...['Unread: Message 3', 'Unread: Message 2', 'Unread: Message 1'],
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
    await page.getByText('The archive is empty').waitFor()
    await press(panelOf(page), 'Snoozed')
    await itemOf(page, 'Message 2')
      .getByText(/^Snoozed until/)
      .waitFor()
    await press(itemOf(page, 'Message 2'), 'Snooze: Message 2')
    await press(itemOf(page, 'Message 2'), 'Show again now')
    await page.getByText('Nothing is snoozed').waitFor()
    await press(panelOf(page), 'All')
    await itemsOf(page).nth(2).waitFor()
    await counted(page, 'Inbox, 3 unread messages')
  })

  test('takes back what the service refuses', async ({ assert }) => {
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

  for (const language of ['en', 'cs'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      test(`is accessible, ${theme}, in ${language}`, async ({ assert }) => {
        const email = uniqueEmail('axe')
        const page = await shop.open(email, { language, theme })
        const check = async (what: string) =>
          assert.deepEqual(await violations(page), [], `${what}, ${theme}, ${language}`)
        await check('closed')
        await openInbox(page)
        await page.getByText(/^(No messages yet|Zatím žádné zprávy)$/).waitFor()
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
        await page.getByText(/^(There is nothing|Zatím není)/).waitFor()
        await check('settings')

        expectProblem(page, /net::ERR_FAILED|Failed to load/)
        await page.route('**/api/**', (route) => route.abort())
        await page.reload()
        await openInbox(page)
        await page.getByRole('alert').waitFor()
        await check('failing')
      })
    }
  }
})
