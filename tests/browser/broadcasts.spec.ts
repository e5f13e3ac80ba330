import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import type { Locator, Page } from 'playwright-core'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import {
  TEXT,
  aBroadcast,
  insertPeople,
  startBroadcastWorker,
  uniqueEmails,
} from '#tests/helpers/broadcasts'
import { violations } from '#tests/helpers/accessibility'
import { openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { aMixedBroadcast } from '#tests/helpers/panel_broadcasts'
import { confirm, confirmationOf, dialogOf, isFocused, press } from '#tests/helpers/panel_parts'
import { panelPerson } from '#tests/helpers/panel_people'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

const NEVER = '2099-01-01T00:00:00Z'
const MARKUP = `<img src=x onerror="globalThis.wasRun = true">`
const MOST_TABS = 120
const FILL_STORAGE = `{
  let size = 2 ** 22, count = 0
  while (size >= 1) {
    try { sessionStorage.setItem('full' + count++, 'x'.repeat(size)) } catch { size /= 2 }
  }
}`

async function tabTo(page: Page, element: Locator) {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await isFocused(element)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The keyboard does not reach it')
}

/** Chooses the type and writes the message. */
async function write(page: Page, { subject, body } = TEXT) {
  await page.getByRole('combobox', { name: 'Type' }).fill('generic')
  await page.getByRole('option', { name: 'generic' }).click()
  await page.getByRole('textbox', { name: 'subject' }).fill(subject)
  await page.getByRole('textbox', { name: 'body' }).fill(body)
}

const idIn = (page: Page) => Number(/\/broadcasts\/(\d+)$/.exec(page.url())![1])

async function askToSend(page: Page) {
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Send…' }).click()
}

/** A page that asks whether to send a message to two people. */
async function aBroadcastToConfirm() {
  const application = await anApplication()
  await insertPeople(application, uniqueEmails(2))
  const page = await openPanel(`/apps/${application.code}/broadcasts/new`)
  await write(page)
  await askToSend(page)
  return { application, page }
}

test.group('A new broadcast in the panel', () => {
  test('is written, previewed, confirmed and followed by keyboard', async ({ assert, cleanup }) => {
    startBroadcastWorker(cleanup)
    const application = await anApplication()
    await insertPeople(application, uniqueEmails(4))
    const as = await anAdministratorOf(application)
    const page = await openPanel(`/apps/${application.code}/broadcasts`, { as })
    const { keyboard } = page
    await tabTo(page, page.getByRole('main').getByRole('link', { name: 'New broadcast' }).first())
    await keyboard.press('Enter')
    await whenShown(page, 'New broadcast')
    const preview = page.getByRole('button', { name: 'Preview' })
    await tabTo(page, preview)
    await keyboard.press('Enter')
    await page.getByText('Fill this in.').waitFor()
    assert.isTrue(await isFocused(page.getByRole('combobox', { name: 'Type' })))
    await keyboard.type('generic')
    await page.getByRole('option', { name: 'generic' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await tabTo(page, page.getByRole('textbox', { name: 'subject' }))
    await keyboard.type('Doors close at six')
    await tabTo(page, page.getByRole('textbox', { name: 'body' }))
    await keyboard.type(`Please go home. ${MARKUP}`)
    await tabTo(page, preview)
    await keyboard.press('Enter')
    await page.getByText('As they would see it').waitFor()
    await page.getByText('Doors close at six', { exact: true }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Send…' }))
    await keyboard.press('Enter')
    await confirmationOf(page).getByText('Send it to 4 people?').waitFor()
    assert.isTrue(await confirmationOf(page).getByRole('button', { name: 'Send' }).isDisabled())
    await tabTo(page, confirmationOf(page).getByRole('textbox'))
    await keyboard.type('4')
    await keyboard.press('Enter')
    await page.getByText('Everyone was processed.').waitFor()
    await page.getByText('4 of 4', { exact: true }).waitFor()
    const broadcast = await Broadcast.findOrFail(idIn(page))
    assert.containSubset(broadcast.serialize(), { createdBy: as, sent: 4, total: 4 })
    assert.isUndefined(await page.evaluate('globalThis.wasRun'))
  })

  test('is not sent to an audience that has changed since the preview', async ({ assert }) => {
    const { application, page } = await aBroadcastToConfirm()
    await insertPeople(application, uniqueEmails(1))
    expectProblem(page, /status of 409/)
    await confirm(page, 'Send', '2')
    await page.getByText('The audience has changed: 2 people before, 3 now.').waitFor()
    assert.isNull(await Broadcast.findBy('applicationId', application.id))
    await page.getByRole('button', { name: 'Send…' }).click()
    await confirm(page, 'Send', '3')
    await whenShown(page, `Broadcast ${idIn(page)}`)
  })

  test('is sent once, however often someone presses', async ({ assert }) => {
    const { application, page } = await aBroadcastToConfirm()
    const confirmation = confirmationOf(page)
    await confirmation.getByRole('textbox').fill('2')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let requests = 0
    await page.route(new RegExp(`/broadcast/${application.code}$`), async (route) => {
      requests++
      await released
      await route.continue()
    })
    const send = confirmation.getByRole('button', { name: 'Send', exact: true })
    await send.click()
    await confirmation.locator('[aria-busy=true]').waitFor()
    assert.isTrue(await send.isDisabled())
    await confirmation.getByRole('textbox').press('Enter')
    // It is too late to cancel it.
    await page.keyboard.press('Escape')
    release()
    await page.getByRole('heading', { level: 1, name: /^Broadcast \d+$/ }).waitFor()
    await whenLoaded(page)
    assert.equal(requests, 1)
  })

  test('is sent once, even if the response to the first attempt is lost', async ({ assert }) => {
    const { application, page } = await aBroadcastToConfirm()
    const route = new RegExp(`/broadcast/${application.code}$`)
    await page.route(
      route,
      async (request) => {
        await request.fetch()
        await request.abort()
      },
      { times: 1 }
    )
    expectProblem(page, /ERR_FAILED/)
    await confirmationOf(page).getByRole('textbox').fill('2')
    await confirmationOf(page).getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('it is never sent twice').waitFor()
    assert.isEmpty(await violations(page))
    assert.lengthOf(await Broadcast.query().where({ applicationId: application.id }), 1)

    // It is the same message after a reload, too.
    await page.reload()
    await whenLoaded(page)
    await askToSend(page)
    await confirm(page, 'Send', '2')
    await whenShown(page, `Broadcast ${idIn(page)}`)
    assert.lengthOf(await Broadcast.query().where({ applicationId: application.id }), 1)
  })

  test('is sent if the browser can store nothing more', async () => {
    const application = await anApplication()
    await insertPeople(application, uniqueEmails(1))
    const page = await openPanel(`/apps/${application.code}/broadcasts/new`)
    await page.evaluate(FILL_STORAGE)
    await write(page)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Send…' }).click()
    await confirm(page, 'Send', '1')
    await whenShown(page, `Broadcast ${idIn(page)}`)
  })

  test('keeps what was typed, and names what is wrong', async ({ assert }) => {
    const application = await anApplication()
    const page = await openPanel(`/apps/${application.code}/broadcasts/new`)
    await page.getByRole('radio', { name: 'A list of addresses' }).check()
    await page.getByRole('textbox', { name: 'Addresses' }).fill('one@tests.example, two')
    await write(page, { subject: MARKUP, body: 'There is something new' })
    expectProblem(page, /status of 400/)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('two is not an e-mail address.').waitFor()
    await page.reload()
    await whenLoaded(page)
    assert.equal(await page.getByRole('textbox', { name: 'subject' }).inputValue(), MARKUP)
    await page.getByRole('textbox', { name: 'Addresses' }).fill('one@tests.example')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText(MARKUP, { exact: true }).first().waitFor()
    await page.getByRole('textbox', { name: 'body' }).fill('Something else')
    await page.getByText('You have changed something since then.').waitFor()
    assert.isTrue(await page.getByRole('button', { name: 'Send…' }).isDisabled())
    assert.isUndefined(await page.evaluate('globalThis.wasRun'))
  })

  test('is scheduled, and changed until it starts', async ({ assert }) => {
    const application = await anApplication()
    await insertPeople(application, uniqueEmails(2))
    const page = await openPanel(`/apps/${application.code}/broadcasts/new`)
    await write(page)
    await page.getByRole('radio', { name: 'Later' }).check()
    await page.getByRole('textbox', { name: 'Start at' }).fill('2098-05-01T10:00')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Schedule…' }).click()
    await confirm(page, 'Schedule', '2')
    await page.getByText('It waits for its time.').waitFor()
    const id = idIn(page)
    await page.getByRole('button', { name: 'Change' }).click()
    await dialogOf(page).getByRole('textbox', { name: 'Start at' }).fill('2098-06-01T10:00')
    await dialogOf(page).getByRole('textbox', { name: 'Messages per second' }).fill('many')
    await dialogOf(page).getByText('Write a whole number.').waitFor()
    await dialogOf(page).getByRole('textbox', { name: 'Messages per second' }).fill('5')
    await press(page, 'Save')
    await page.getByText('5 per second').waitFor()
    const { scheduledAt, ratePerSecond, data } = await Broadcast.findOrFail(id)
    assert.equal(scheduledAt!.toISO(), '2098-06-01T08:00:00.000Z')
    assert.equal(ratePerSecond, 5)
    assert.containSubset(data, TEXT)
    await page.goto(`/panel/apps/${application.code}/broadcasts?status=scheduled`)
    await page.getByRole('link', { name: `Broadcast ${id}` }).waitFor()
  })
})

test.group('A broadcast in the panel', () => {
  test('shows its progress, is paused, resumed and cancelled', async ({ assert, cleanup }) => {
    startBroadcastWorker(cleanup)
    const application = await anApplication()
    const audience = { kind: 'emails' as const, emails: uniqueEmails(200) }
    const { id } = await aBroadcast(application, { audience, ratePerSecond: 2 })
    const page = await openPanel(`/apps/${application.code}/broadcasts/${id}`)
    await page.getByText(/^[1-9]\d* of 200$/).waitFor()
    await page
      .getByText(/per second$/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await confirm(page, 'Pause')
    await page.getByText('Nobody gets it until it is resumed.').waitFor()
    assert.equal((await Broadcast.findOrFail(id)).status, 'paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await confirm(page, 'Resume')
    await page.getByText('It is being sent.').waitFor()
    await page.getByRole('button', { name: 'Cancel broadcast' }).click()
    await confirm(page, 'Cancel broadcast')
    await page.getByText('Whoever was still waiting does not get it.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Resume' }).count(), 0)
    assert.equal((await Broadcast.findOrFail(id)).status, 'cancelled')
  })

  test('counts reasons rarely while it is sent, and at once when it ends', async ({ assert }) => {
    const application = await anApplication()
    const id = await aMixedBroadcast(application, 'no')
    const store = (fields: object) => Broadcast.query().where({ id }).update(fields)
    await store({ status: 'running' })
    const page = await openPanel(`/apps/${application.code}/broadcasts/${id}`, { isNew: true })
    let counts = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/reasons')) counts++
    })
    await page.clock.install()
    const fail = async (failed: number) => {
      await store({ failed })
      await page.getByText(String(failed), { exact: true }).waitFor()
    }
    const counted = page.waitForResponse(/\/reasons$/)
    await fail(71)
    await counted
    await fail(72)
    await page.clock.fastForward(25_000)
    await fail(73)
    assert.equal(counts, 1)
    const countedAgain = page.waitForResponse(/\/reasons$/)
    await store({ status: 'completed' })
    await countedAgain
    assert.equal(counts, 2)
  })

  test('reloads its recipients when it starts', async () => {
    const application = await anApplication()
    const id = await aMixedBroadcast(application, 'no')
    const store = (fields: object) => Broadcast.query().where({ id }).update(fields)
    await store({ status: 'scheduled' })
    await BroadcastRecipient.query().where({ broadcastId: id }).update({ status: null })
    const page = await openPanel(`/apps/${application.code}/broadcasts/${id}`)
    const sent = page.getByRole('table').getByText('Sent', { exact: true })
    await page.getByRole('table').getByText('Waiting', { exact: true }).first().waitFor()
    await BroadcastRecipient.query().where({ broadcastId: id }).update({ status: 'sent' })
    await store({ status: 'running' })
    await sent.first().waitFor()
  })

  test('says why someone did not get it, and exports the recipients', async ({ assert }) => {
    const application = await anApplication()
    const id = await aMixedBroadcast(application, MARKUP)
    await BroadcastRecipient.query()
      .where({ broadcastId: id, status: 'skipped' })
      .update({ email: '=1+1@tests.example' })
    const page = await openPanel(`/apps/${application.code}/broadcasts/${id}`)
    await page.getByText('The mail server did not accept it.').first().waitFor()
    await page.getByRole('link', { name: 'Show failed' }).click()
    await page.getByText('1 entry').waitFor()
    assert.include(page.url(), 'status=failed')
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('')
    await page.getByText('4 entries').waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const csv = readFileSync(await (await downloading).path(), 'utf8')
    assert.include(csv, `'=1+1@tests.example,skipped`)
    assert.lengthOf(csv.trimEnd().split('\n'), 5)
    assert.isUndefined(await page.evaluate('globalThis.wasRun'))
  })

  test('offers nothing to those who may only see it', async ({ assert, client }) => {
    const application = await anApplication()
    const { id } = await aBroadcast(application, { scheduledAt: NEVER })
    const as = await panelPerson(client, { [application.code]: 'view' })
    const base = `/apps/${application.code}/broadcasts`
    const page = await openPanel(`${base}/${id}`, { as })
    for (const name of ['Change', 'Pause', 'Cancel broadcast']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    }
    await page.goto(`/panel${base}`)
    await page.getByRole('link', { name: `Broadcast ${id}` }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'New broadcast' }).count(), 0)
    await page.goto(`/panel${base}/new`)
    await page.getByText('You can see broadcasts, but not send any.').waitFor()
  })
})
