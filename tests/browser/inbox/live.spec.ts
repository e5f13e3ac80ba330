import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { inboxStreams } from '#app/inbox/stream/inbox_streams'
import { eventually } from '#tests/helpers/eventually'
import { INBOX, aNotification } from '#tests/helpers/inbox'
import {
  Shop,
  heardBy,
  itemOf,
  itemsOf,
  openInbox,
  tokensOf,
  whenConnected,
} from '#tests/helpers/inbox_page'
import { lifecycleEvent } from '#tests/helpers/management'
import { signedIn, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'
import { issuer } from '#tests/world/prepare'

let shop: Shop

const arrivals = async (page: Parameters<typeof heardBy>[0]) =>
  (await heardBy(page, 'notification')).map(
    ({ detail }) => (detail.item as { subject: string }).subject
  )

test.group('The inbox component, live', (group) => {
  group.setup(async () => {
    shop = new Shop(process.env.APP_URL!)
    await shop.start()
    return () => shop.stop()
  })

  test('shows a message that arrives, in the order of the service', async ({ assert }) => {
    const email = uniqueEmail('live')
    await aNotification(email, { subject: 'Now' })
    const page = await shop.open(email)
    await openInbox(page)
    await itemOf(page, 'Now').waitFor()
    await whenConnected(page, 'live')
    // Stored yesterday, and due now.
    const createdAt = DateTime.utc().minus({ days: 1 })
    await aNotification(email, { subject: 'Later', createdAt, shownAt: DateTime.utc() })
    await page.getByRole('status').getByText('New message: Later').waitFor()
    assert.deepEqual(await itemsOf(page).getByRole('heading').allTextContents(), [
      'Unread: Later',
      'Unread: Now',
    ])
    assert.deepEqual(await arrivals(page), ['Later'])
    await page.getByRole('button', { name: 'Inbox, 2 unread messages' }).waitFor()
  })

  test('loses nothing when its stream ends, and repeats nothing', async ({ assert }) => {
    const email = uniqueEmail('resumed')
    const page = await shop.open(email)
    await whenConnected(page, 'live')
    await aNotification(email, { subject: 'Before' })
    await page.getByRole('button', { name: 'Inbox, 1 unread message' }).waitFor()
    for (const follower of inboxStreams.followers(email)) follower.end('shutdown')
    await whenConnected(page, 'connecting')
    await aNotification(email, { subject: 'Meanwhile' })
    await whenConnected(page, 'live')
    await page.getByRole('button', { name: 'Inbox, 2 unread messages' }).waitFor()
    await aNotification(email, { subject: 'After' })
    await page.getByRole('button', { name: 'Inbox, 3 unread messages' }).waitFor()
    assert.deepEqual(await arrivals(page), ['Before', 'Meanwhile', 'After'])
  })

  test('polls while something holds its streams back', async ({ assert }) => {
    const email = uniqueEmail('polling')
    const context = await shop.browser()
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'text/event-stream' }
    await context.route('**/stream?*', (route) => route.fulfill({ headers, body: ': hi\n\n' }))
    const isListed = context.waitForEvent('response', (response) => /inbox\?/.test(response.url()))
    const page = await shop.open(email, {}, context)
    await isListed
    await aNotification(email, { subject: 'Polled' })
    await whenConnected(page, 'polling')
    await page.getByRole('button', { name: 'Inbox, 1 unread message' }).waitFor()
    await context.unrouteAll()
    await whenConnected(page, 'live')
    await aNotification(email, { subject: 'Heard' })
    await page.getByRole('button', { name: 'Inbox, 2 unread messages' }).waitFor()
    assert.deepEqual(await arrivals(page), ['Polled', 'Heard'])
  })

  test('shows in all tabs what happens in one', async ({ assert }) => {
    const email = uniqueEmail('tabs')
    for (const subject of ['One', 'Two', 'Three']) await aNotification(email, { subject })
    const context = await shop.browser()
    const [here, there] = [
      await shop.open(email, {}, context),
      await shop.open(email, {}, context),
    ] as const
    for (const page of [here, there]) {
      await openInbox(page)
      await itemOf(page, 'Three').waitFor()
      await whenConnected(page, 'live')
    }
    await itemOf(here, 'One').getByRole('button', { name: 'Unread: One' }).click()
    await itemOf(there, 'One').getByRole('button', { name: 'Mark as unread: One' }).waitFor()
    await itemOf(here, 'Two').getByRole('button', { name: 'Archive: Two' }).click()
    await itemOf(there, 'Two').waitFor({ state: 'detached' })
    await there.getByRole('button', { name: 'Inbox, 1 unread message' }).waitFor()
    assert.deepEqual([await arrivals(here), await arrivals(there)], [[], []])
  })

  test('announces a message again when its snooze ends', async ({ client, assert }) => {
    const email = uniqueEmail('snoozed')
    const { id } = await aNotification(email, { subject: 'Again' })
    const page = await shop.open(email)
    await openInbox(page)
    await itemOf(page, 'Again').waitFor()
    await whenConnected(page, 'live')
    const until = DateTime.utc().plus({ seconds: 2 })
    const snoozed = await signedIn(client, email).patch(`${INBOX}/${id}/snooze`, { until })
    snoozed.assertStatus(204)
    await itemOf(page, 'Again').waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('New message: Again').waitFor()
    await itemOf(page, 'Again').waitFor()
    await page.getByRole('button', { name: 'Inbox, 1 unread message' }).waitFor()
    assert.deepEqual(await arrivals(page), ['Again'])
  })

  test('prefers an event to an answer that is older', async ({ client, assert }) => {
    const email = uniqueEmail('older')
    const { id } = await aNotification(email, { subject: 'Gone' })
    await aNotification(email, { subject: 'Stays' })
    const page = await shop.open(email)
    await openInbox(page)
    await itemOf(page, 'Gone').waitFor()
    await whenConnected(page, 'live')
    const { promise: hasEvent, resolve: release } = Promise.withResolvers<void>()
    let answers = 0
    await page.route(/inbox\?limit/, async (route) => {
      const response = await route.fetch()
      answers++
      await hasEvent
      await route.fulfill({ response })
    })
    const refreshed = page.evaluate('document.querySelector("concierge-inbox").refresh()')
    await eventually('there is an answer', () => answers === 1)
    const archived = await signedIn(client, email).patch(`${INBOX}/${id}/archive`)
    archived.assertStatus(204)
    await itemOf(page, 'Gone').waitFor({ state: 'detached' })
    release()
    await refreshed
    assert.equal(await itemsOf(page).count(), 1)
    assert.equal(answers, 2)
  })

  test('polls when it gets no ticket after a stream that was stable', async () => {
    const email = uniqueEmail('ticket')
    const page = await shop.open(email)
    await whenConnected(page, 'live')
    expectProblem(page, /status of 503/)
    const headers = { 'access-control-allow-origin': '*' }
    await page.route('**/stream-ticket', (route) => route.fulfill({ status: 503, headers }))
    await page.evaluate('{ const { now } = Date; Date.now = () => now() + 60_000 }')
    for (const follower of inboxStreams.followers(email)) follower.end('shutdown')
    await whenConnected(page, 'polling')
    await eventually('the page hears of it', async () => {
      return (await heardBy(page, 'problem')).length >= 2
    })
    await page.unrouteAll()
    await page.evaluate('dispatchEvent(new Event("online"))')
    await whenConnected(page, 'live')
  })

  test('goes on with a new token when the token of its stream expires', async ({
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail('expiring')
    const original = shop.token
    cleanup(() => void (shop.token = original))
    const exp = Math.floor(Date.now() / 1_000) + 4
    shop.token = (user, renew) => issuer.token(user, renew ? {} : { claims: { exp } })
    const context = await shop.browser()
    let streams = 0
    context.on('request', (request) => void (request.url().includes('/stream?') && streams++))
    const page = await shop.open(email, {}, context)
    expectProblem(page, /status of 401/)
    await eventually('it has a new token', async () => (await tokensOf(page)).length === 2)
    await whenConnected(page, 'live')
    await aNotification(email, { subject: 'With a new token' })
    await page.getByRole('button', { name: 'Inbox, 1 unread message' }).waitFor()
    assert.deepEqual(await tokensOf(page), [false, true])
    assert.deepEqual(await arrivals(page), ['With a new token'])
    // None ended at once because its token had expired.
    assert.isAtMost(streams, 2)
  })

  test('tells the page when its user is deactivated, and returns with the user', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail('deactivated')
    const page = await shop.open(email)
    await whenConnected(page, 'live')
    expectProblem(page, /status of 403/)
    await lifecycleEvent(client, 'user.deactivated', email)
    await whenConnected(page, 'polling')
    await aNotification(email, { subject: 'Unseen' })
    await openInbox(page)
    const problems = await heardBy(page, 'problem')
    for (const { detail } of problems) {
      assert.containSubset(detail, { error: { status: 403, code: 'USER_INACTIVE' } })
    }
    assert.deepEqual(await arrivals(page), [])
    // A new token would change nothing.
    assert.deepEqual(await tokensOf(page), [false])

    await lifecycleEvent(client, 'user.reactivated', email)
    await whenConnected(page, 'live')
    await itemOf(page, 'Unseen').waitFor()
    await page.getByRole('button', { name: 'Inbox, 1 unread message' }).waitFor()
  })

  test('keeps no stream in the background for long, and catches up', async ({ assert }) => {
    const email = uniqueEmail('background')
    const context = await shop.browser()
    await context.clock.install()
    const page = await shop.open(email, {}, context)
    await whenConnected(page, 'live')
    const show = (isShown: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', {
        get: () => ${!isShown}, configurable: true
      }) && document.dispatchEvent(new Event('visibilitychange'))`)
    await show(false)
    assert.lengthOf([...inboxStreams.followers(email)], 1)
    await context.clock.fastForward(121_000)
    await whenConnected(page, 'off')
    await eventually('the stream is closed', () => [...inboxStreams.followers(email)].length === 0)
    await aNotification(email, { subject: 'Meanwhile' })
    await show(true)
    await whenConnected(page, 'live')
    await page.getByRole('button', { name: 'Inbox, 1 unread message' }).waitFor()
    assert.deepEqual(await arrivals(page), ['Meanwhile'])
  })
})
