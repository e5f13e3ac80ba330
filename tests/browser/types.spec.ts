import { test } from '@japa/runner'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import { eventually } from '#tests/helpers/eventually'
import { openPanel, whenShown } from '#tests/helpers/open_panel'
import { confirm, dialogOf, press } from '#tests/helpers/panel_parts'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication } from '#tests/helpers/people'
import { aTemplate, aType } from '#tests/helpers/templates'
import { expectProblem } from '#tests/helpers/watch_pages'

const typeOf = (applicationId: number, code: string) =>
  NotificationType.findByOrFail({ applicationId, code })

test.group('Notification types in the panel', () => {
  test('are created, changed and deleted', async ({ assert }) => {
    const { id, code: appCode } = await anApplication()
    const page = await openPanel(`/apps/${appCode}/types`)
    await page.getByRole('button', { name: 'New type' }).first().click()
    await dialogOf(page).getByRole('textbox', { name: 'Code' }).fill('order/shipped')
    await press(page, 'Create')
    await dialogOf(page).getByText('Fill this in').waitFor()
    await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Order shipped')
    await press(page, 'Create')
    await whenShown(page, 'Order shipped')
    assert.include(page.url(), '/types/order%2Fshipped')

    await page.getByRole('checkbox', { name: /^Push\b(?! is)/ }).uncheck()
    await page.getByRole('checkbox', { name: 'People can switch it off' }).uncheck()
    await page.getByRole('checkbox', { name: 'Urgent' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const stored = await typeOf(id, 'order/shipped')
    assert.isFalse(stored.pushEnabled)
    assert.isFalse(stored.userCanDisable)
    assert.isTrue(stored.urgent)
    assert.isTrue(stored.emailEnabled)

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await confirm(page, 'Delete', 'order/shipped')
    await whenShown(page, 'Notification types')
    assert.isNull(await NotificationType.find(stored.id))
  })

  test('let people choose digests', async ({ assert }) => {
    const application = await anApplication()
    const type = await aType(application)
    await aTemplate(application, type, { key: 'summary' })
    const page = await openPanel(`/apps/${application.code}/types/${type.code}`)
    for (const name of ['Hourly', 'Daily']) await page.getByRole('checkbox', { name }).check()
    await page.getByRole('combobox', { name: 'Default', exact: true }).selectOption('daily')
    await page.getByRole('combobox', { name: 'Template of digests' }).selectOption('summary')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await type.refresh()
    assert.deepEqual(type.digest, {
      allowed: ['hourly', 'daily'],
      default: 'daily',
      templateKey: 'summary',
    })
    await page.getByRole('checkbox', { name: 'Daily' }).uncheck()
    await page.getByRole('checkbox', { name: 'Hourly' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('combobox', { name: 'Default', exact: true })
      .waitFor({ state: 'detached' })
    await eventually('the digests are gone', async () => (await type.refresh()).digest === null)
  })

  test('keep what someone else has changed in the meantime', async ({ assert }) => {
    const application = await anApplication()
    const type = await aType(application)
    const page = await openPanel(`/apps/${application.code}/types/${type.code}`)
    await type.merge({ urgent: true }).save()
    expectProblem(page, /status of 412/)
    await page.getByRole('textbox', { name: 'Sender name' }).fill('The shop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Someone else has changed this').waitFor()
    assert.isTrue(await page.getByRole('checkbox', { name: 'Urgent' }).isChecked())
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await type.refresh()
    assert.isTrue(type.urgent)
    assert.equal(type.emailFromName, 'The shop')
  })

  test('get templates with variables', async ({ assert }) => {
    const application = await anApplication()
    const type = await aType(application)
    const page = await openPanel(`/apps/${application.code}/types/${type.code}`)
    await page.getByRole('button', { name: 'New template' }).first().click()
    const sheet = dialogOf(page)
    await sheet.getByRole('textbox', { name: 'Key' }).fill('main')
    await sheet.getByRole('textbox', { name: 'Name', exact: true }).fill('Main text')
    await sheet.getByRole('button', { name: 'Add a variable' }).click()
    await sheet.getByRole('textbox', { name: 'Name of variable 1' }).fill('order.number')
    await sheet.getByRole('checkbox', { name: 'Masked in the log' }).check()
    await press(page, 'Create')
    await whenShown(page, 'Main text')
    const template = await NotificationTemplate.findByOrFail({ notificationTypeId: type.id })
    assert.deepEqual(template.variables, [{ key: 'order.number', required: true, sensitive: true }])
  })

  test('are read-only for those who may only look', async ({ client, assert }) => {
    const application = await anApplication()
    const type = await aType(application)
    await aTemplate(application, type)
    const as = await panelPerson(client, { [application.code]: 'view' })
    const page = await openPanel(`/apps/${application.code}/types/${type.code}`, { as })
    await page.getByRole('link', { name: 'main' }).waitFor()
    assert.isTrue(await page.getByRole('checkbox', { name: 'Urgent' }).isDisabled())
    assert.equal(await page.getByRole('button', { name: /New|Save|Delete/ }).count(), 0)
  })

  test('of the system are not deleted, and keep their switches', async ({ assert }) => {
    const application = await anApplication()
    const type = await aType(application)
    await type.merge({ system: true }).save()
    const page = await openPanel(`/apps/${application.code}/types/${type.code}`)
    assert.isTrue(await page.getByRole('checkbox', { name: 'Urgent' }).isDisabled())
    assert.isTrue(await page.getByRole('textbox', { name: 'Name', exact: true }).isEnabled())
    assert.equal(await page.getByRole('button', { name: 'Delete', exact: true }).count(), 0)
  })
})
