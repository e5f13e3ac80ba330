import { test } from '@japa/runner'
import PanelSession from '#app/auth/models/panel_session'
import Notification from '#app/notifications/models/notification'
import { aNotification } from '#tests/helpers/inbox'
import { openPanel, whenShown } from '#tests/helpers/open_panel'
import { dialogOf } from '#tests/helpers/panel_parts'
import { violations } from '#tests/helpers/accessibility'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'

test.group('The frame of the panel', () => {
  test('shows the inbox of the person, and what is unread', async ({ assert }) => {
    const as = await anAdministratorOf(await anApplication())
    const [first, second] = [await aNotification(as), await aNotification(as, { subject: 'Hello' })]
    const page = await openPanel('/apps', { as })
    await page.getByRole('button', { name: '2 unread notifications' }).click()
    await page.getByRole('button', { name: 'Mark as read: Hello' }).click()
    await page.getByRole('button', { name: '1 unread notification' }).waitFor()
    assert.isNotNull((await Notification.findOrFail(second.id)).readAt)
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('button', { name: 'No unread notifications' }).waitFor()
    assert.isNotNull((await Notification.findOrFail(first.id)).readAt)
  })

  test('shows the text of messages, and where they lead', async ({ assert }) => {
    const as = await anAdministratorOf(await anApplication())
    const url = 'https://shop.example/orders/1'
    const bodyText = '<b>It left</b> our warehouse.\n\nIt arrives tomorrow.'
    const message = await aNotification(as, { bodyText, payload: { url } })
    await aNotification(as, { subject: 'Elsewhere', payload: { url: 'javascript:alert(1)' } })
    const page = await openPanel('/apps', { as })
    await page.getByRole('button', { name: '2 unread notifications' }).click()
    await page.getByText('<b>It left</b> our warehouse.').waitFor()
    await page.getByText('Elsewhere', { exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Elsewhere' }).count(), 0)
    assert.isEmpty(await violations(page))
    const link = page.getByRole('link', { name: 'Your order is on its way' })
    assert.equal(await link.getAttribute('href'), url)
    assert.equal(await link.getAttribute('target'), '_blank')
    assert.equal(await link.getAttribute('rel'), 'noreferrer')
    // Tests must not send requests to other hosts.
    await link.evaluate((element) => element.setAttribute('href', '#'))
    await link.evaluate((element) => element.removeAttribute('target'))
    await link.click()
    await page.getByRole('button', { name: '1 unread notification' }).waitFor()
    assert.isNotNull((await Notification.findOrFail(message.id)).readAt)
  })

  test('has keys, and help about them', async ({ assert }) => {
    const page = await openPanel('/apps')
    await page.keyboard.press('?')
    await dialogOf(page).getByText('Search in the list on this page').waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.keyboard.type('?gh')
    assert.equal(await page.getByRole('searchbox').inputValue(), '?gh')
    await page.getByRole('searchbox').blur()
    await page.keyboard.type('gh')
    await page.waitForURL('**/panel/')
  })

  test('ends another session', async ({ assert }) => {
    const as = await anAdministratorOf(await anApplication())
    await openPanel('/apps', { as })
    const page = await openPanel('/sessions', { as })
    const rows = page.getByRole('table').getByRole('row')
    await rows.nth(2).waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await rows.nth(2).waitFor({ state: 'detached' })
    await page.getByText('This browser').waitFor()
    assert.lengthOf(await PanelSession.query().where({ email: as }), 1)
    await page.reload()
    await whenShown(page, 'Your sessions')
  })
})
