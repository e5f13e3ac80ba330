import { test } from '@japa/runner'
import Webhook from '#app/webhooks/models/webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import { openPanel, whenShown } from '#tests/helpers/open_panel'
import { confirm, dialogOf, press } from '#tests/helpers/panel_parts'
import { panelPerson } from '#tests/helpers/panel_people'
import { aFailingWebhook } from '#tests/helpers/panel_webhooks'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'
import { aReceiver } from '#tests/helpers/webhooks'

test.group('Webhooks in the panel', (group) => {
  group.each.teardown(async () => void (await Webhook.query().delete()))

  test('are created, and show their secret once', async ({ cleanup }) => {
    const receiver = await aReceiver(cleanup)
    const application = await anApplication()
    const as = await anAdministratorOf(application)
    const page = await openPanel(`/apps/${application.code}/webhooks`, { as })
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await press(page, 'Create')
    await dialogOf(page).locator('[aria-invalid=true]').first().waitFor()
    await dialogOf(page).getByRole('textbox', { name: 'URL' }).fill(receiver.url)
    await dialogOf(page).getByRole('checkbox', { name: 'user.erased' }).check()
    await press(page, 'Create')
    await dialogOf(page)
      .getByText(/^whsec_/)
      .waitFor()
    await press(page, 'Close')
    await page.getByRole('link', { name: receiver.url }).click()
    await whenShown(page, receiver.url)
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByRole('row').filter({ hasText: 'webhook.test' }).waitFor()
  })

  test('show what failed, and send it again', async ({ assert }) => {
    const { code } = await anApplication()
    const id = await aFailingWebhook(code, 'order-shipped')
    const page = await openPanel(`/apps/${code}/webhooks/${id}`)
    await page.getByText('The receiver responded with 500.').first().waitFor()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('failed')
    await page.getByText('1 entry').waitFor()
    assert.include(page.url(), 'status=failed')
    await page.getByRole('button', { name: 'notification.failed' }).click()
    await dialogOf(page).getByText('"type": "order-shipped"').waitFor()
    await press(page, 'Send again')
    await page.getByText('The event is sent again', { exact: true }).waitFor()
    const [failed] = await WebhookDelivery.query().where({ webhookId: id }).orderBy('id', 'desc')
    assert.equal(failed.status, 'pending')
  })

  test('are changed, rotated and deleted', async ({ assert }) => {
    const { code } = await anApplication()
    const id = await aFailingWebhook(code, 'order-shipped')
    const page = await openPanel(`/apps/${code}/webhooks/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialogOf(page).getByRole('checkbox', { name: 'Enabled' }).uncheck()
    await press(page, 'Save')
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByText('The webhook was enabled', { exact: true }).waitFor()
    assert.isTrue((await Webhook.findOrFail(id)).enabled)
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await press(page, 'Rotate secret')
    await dialogOf(page)
      .getByText(/^whsec_/)
      .waitFor()
    await press(page, 'Close')
    await page.getByRole('button', { name: 'Delete' }).click()
    await confirm(page, 'Delete')
    await whenShown(page, 'Webhooks')
    assert.isNull(await Webhook.find(id))
  })

  test('are not offered to those who may not change the application', async ({
    assert,
    client,
  }) => {
    const { code } = await anApplication()
    const as = await panelPerson(client, { [code]: 'view' })
    const page = await openPanel(`/apps/${code}`, { as })
    assert.equal(await page.getByRole('link', { name: 'Webhooks' }).count(), 0)
  })
})
