import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import Notification from '#app/notifications/models/notification'
import { aType, postInternalNotification } from '#tests/helpers/deliveries'
import { aNotification } from '#tests/helpers/inbox'
import { openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { aFailedMessage, otherMessages } from '#tests/helpers/panel_messages'
import { confirm, dialogOf, press } from '#tests/helpers/panel_parts'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, anOldApplication, uniqueEmail } from '#tests/helpers/people'
import { inHours } from '#tests/helpers/scheduled_sends'
import { expectProblem } from '#tests/helpers/watch_pages'

const rowsOf = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })
const TEXT = { subject: 'Hello', body: 'It works' }

/** A message that its mail server refused, and three others to the same person. */
async function someMessages() {
  const { code: appCode } = await anOldApplication()
  const email = uniqueEmail('reader')
  const said = { appCode, email, subject: 'Your order', text: 'It is on its way' }
  await otherMessages(said)
  const failed = await aFailedMessage(said)
  return { appCode, email, id: failed.id }
}

test.group('Messages in the panel', () => {
  test('are narrowed by filters that are in the address', async ({ assert }) => {
    const { appCode, email } = await someMessages()
    await aNotification(uniqueEmail(), { appCode, subject: 'To someone else' })
    const page = await openPanel(`/apps/${appCode}/messages`)
    assert.equal(await rowsOf(page).count(), 5)
    await page.getByRole('searchbox').fill(email.slice(0, 4))
    await page.getByText('Type the whole address').waitFor()
    await page.getByRole('searchbox').fill(email)
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('failed')
    await page.getByText('1 entry').waitFor()
    assert.include(page.url(), `recipient=${encodeURIComponent(email).replace('%40', '@')}`)
    await page.reload()
    await whenLoaded(page)
    assert.equal(await rowsOf(page).count(), 1)
    await page.getByRole('link', { name: 'Clear' }).click()
    await page.getByText('5 entries').waitFor()
  })

  test('are found by their number', async () => {
    const { appCode, id } = await someMessages()
    const page = await openPanel(`/apps/${appCode}/messages`)
    await page.getByRole('searchbox').fill(`#${id}`)
    await page.keyboard.press('Enter')
    await whenShown(page, 'Your order')
  })

  test('show attempts, decisions and what they said', async ({ assert }) => {
    const { appCode, id } = await someMessages()
    const page = await openPanel(`/apps/${appCode}/messages/${id}`)
    const events = page.getByRole('list', { name: 'What happened' }).getByRole('listitem')
    assert.equal(await events.count(), 3)
    await events.nth(1).getByText('451 4.7.1 Greylisted').waitFor()
    await events.nth(2).getByText('Rejected').waitFor()
    const steps = page.getByRole('list', { name: 'Decisions' }).getByRole('listitem')
    await steps.filter({ hasText: 'No browser of the recipient is subscribed' }).waitFor()
    const frame = page.frameLocator('iframe')
    await frame.getByText('It is on its way').waitFor()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.getByText('It is on its way', { exact: true }).waitFor()
  })

  test('run no scripts of what they said', async ({ assert }) => {
    const { code: appCode } = await anApplication()
    const attack = `<p>Read me</p><script>top.wasRun = true</script><img src="x" onerror="top.wasRun = true">`
    const { id } = await aNotification(uniqueEmail(), { appCode, bodyHtml: attack })
    const page = await openPanel(`/apps/${appCode}/messages/${id}`)
    expectProblem(page, /policy violated|Content Security Policy/)
    await page.frameLocator('iframe').getByText('Read me').waitFor()
    assert.isFalse(await page.evaluate<boolean>('"wasRun" in globalThis'))
  })

  test('say what would be decided now', async () => {
    const { code: appCode } = await anApplication()
    const { id } = await aNotification(uniqueEmail(), {
      appCode,
      type: 'generic',
      payload: TEXT,
      status: 'skipped',
      statusReason: 'NOTIFICATIONS_DISABLED',
    })
    const page = await openPanel(`/apps/${appCode}/messages/${id}`)
    await page.getByText('Nothing was recorded about it').waitFor()
    await page.getByRole('button', { name: 'If it were sent now' }).click()
    await page.getByRole('heading', { name: 'To be sent by e-mail.' }).waitFor()
  })

  test('are sent again, unless they contain secrets', async () => {
    const application = await anApplication()
    const { code: type } = await aType(application, { emailEnabled: false, pushEnabled: false })
    const failed = { appCode: application.code, type, status: 'failed', payload: TEXT } as const
    const { id } = await aNotification(uniqueEmail(), { ...failed, subject: 'Again' })
    const page = await openPanel(`/apps/${application.code}/messages/${id}`)
    await page.getByRole('button', { name: 'Send again' }).click()
    await press(page, 'Send again')
    await page.getByText('It failed again', { exact: true }).waitFor()
    const secret = await aNotification(uniqueEmail(), { ...failed, sensitiveVariables: ['body'] })
    await page.goto(`/panel/apps/${application.code}/messages/${secret.id}`)
    await whenLoaded(page)
    expectProblem(page, /status of 409/)
    await page.getByRole('button', { name: 'Send again' }).click()
    await press(page, 'Send again')
    await dialogOf(page).getByText('contains sensitive variables').waitFor()
  })

  test('are cancelled while they wait', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const response = await postInternalNotification(client, '', {
      recipientEmail: uniqueEmail(),
      appCode,
      type: 'generic',
      data: TEXT,
      sendAt: inHours(3),
    })
    const { id } = response.body().data
    const page = await openPanel(`/apps/${appCode}/messages/${id}`)
    await page.getByRole('button', { name: 'Cancel sending' }).click()
    await confirm(page, 'Cancel sending')
    await page.getByText('It was cancelled before it was sent.').first().waitFor()
    const { statusReason } = await Notification.findOrFail(id)
    assert.equal(statusReason, 'CANCELLED')
  })

  test('are only shown to those who may not change the application', async ({ assert, client }) => {
    const { appCode, id } = await someMessages()
    const as = await panelPerson(client, { [appCode]: 'view' })
    const page = await openPanel(`/apps/${appCode}/messages/${id}`, { as })
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Send again' }).count(), 0)
  })

  test('are counted per day, by channel and outcome', async () => {
    const { appCode } = await someMessages()
    const page = await openPanel(`/apps/${appCode}/messages`)
    await page.getByRole('link', { name: 'Per day' }).click()
    await whenShown(page, 'Messages per day')
    await page.getByText('1 failed', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Period' }).selectOption('7')
    await page.getByRole('row', { name: /E-mails Sent 1/ }).waitFor()
  })
})
