import { test } from '@japa/runner'
import Application from '#app/applications/models/application'
import ApplicationKey from '#app/applications/models/application_key'
import Entity from '#app/applications/models/entity'
import Instance from '#app/applications/models/instance'
import Brand from '#app/platform/models/brand'
import { manageApplication } from '#tests/helpers/management'
import { openPanel, whenShown } from '#tests/helpers/open_panel'
import { confirm, confirmationOf, dialogOf, press } from '#tests/helpers/panel_parts'
import { anApplication, superAdmin, uniqueCode } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'
import { TestHttpServer, sendJson } from '#tests/world/http_server'

test.group('Applications in the panel', () => {
  test('are created with a form', async ({ assert }) => {
    const page = await openPanel('/apps')
    await page.getByRole('button', { name: 'New application' }).click()
    const code = uniqueCode()
    await page.getByRole('textbox', { name: 'Code' }).fill(code)
    await page.getByRole('textbox', { name: 'Name' }).fill('Travel expenses')
    await page.getByRole('button', { name: 'Create' }).click()
    await whenShown(page, 'Travel expenses')
    assert.equal((await Application.findByOrFail({ code })).name, 'Travel expenses')
  })

  test('say at the field what is wrong, and keep what was typed', async ({ assert }) => {
    const { code } = await anApplication()
    const page = await openPanel('/apps?new=1')
    const field = page.getByRole('textbox', { name: 'Code' })
    await field.fill('Not A Code')
    await page.getByRole('textbox', { name: 'Name' }).fill('Twice')
    await press(page, 'Create')
    await page.locator('input[name=code][aria-invalid=true]').waitFor()
    await field.fill(code)
    expectProblem(page, /status of 409/)
    await press(page, 'Create')
    await page.locator('input[name=code][aria-invalid=true]').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Twice')
  })

  test("are changed without overwriting someone else's changes", async ({ client, assert }) => {
    const application = await anApplication()
    const page = await openPanel(`/apps/${application.code}/settings`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed here')
    const elsewhere = { name: 'Renamed elsewhere', description: 'Described elsewhere' }
    await superAdmin(client).put(`/api/applications/${application.code}`, elsewhere)
    expectProblem(page, /status of 412/)
    const save = page.locator('form').first().getByRole('button', { name: 'Save' })
    await save.click()
    await page.getByText('Now it is Renamed elsewhere').waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await save.click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await application.refresh()
    assert.equal(application.name, 'Renamed here')
    assert.equal(application.description, 'Described elsewhere')
  })

  test('get languages and brands', async ({ client, assert }) => {
    const { code } = await anApplication()
    const slug = uniqueCode('brand')
    await Brand.create({ slug, name: slug, isDefault: false })
    const page = await openPanel(`/apps/${code}/settings`)
    await page.getByRole('checkbox', { name: 'Čeština' }).check()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.getByRole('checkbox', { name: slug }).check()
    const saveBrands = page.getByRole('button', { name: 'Save' }).nth(1)
    await saveBrands.click()
    await saveBrands.and(page.locator(':disabled')).waitFor()
    const stored = await superAdmin(client).get(`/api/applications/${code}`)
    assert.deepEqual(stored.body().data.supportedLanguages, ['cs'])
    const brands = await superAdmin(client).get(`/api/applications/${code}/brands`)
    assert.include(JSON.stringify(brands.body().data), slug)
  })

  test('have instances with callback URLs', async ({ assert }) => {
    const { id: applicationId, code } = await anApplication()
    const page = await openPanel(`/apps/${code}/instances`)
    await page.getByRole('button', { name: 'New instance' }).first().click()
    const sheet = dialogOf(page)
    await sheet.getByRole('textbox', { name: 'Name' }).fill('Production')
    await sheet.getByRole('textbox', { name: 'Base URL' }).fill('https://crm.example')
    const callbacks = ['https://crm.example/callback', 'https://crm.example/silent']
    await sheet.getByRole('textbox', { name: 'Callback URLs' }).fill(callbacks.join('\n'))
    await press(page, 'Create')
    await page.getByRole('heading', { name: 'Production' }).waitFor()
    await page.getByText(callbacks[1]).waitFor()
    const instance = await Instance.findByOrFail({ applicationId })
    assert.deepEqual(instance.callbackUrls, callbacks)
    await page.getByRole('button', { name: 'Delete' }).click()
    await confirm(page, 'Delete')
    await page.getByText('There are no instances').waitFor()
  })

  test('have keys, which are shown once, replaced and revoked', async ({ assert }) => {
    const { id: applicationId, code } = await anApplication()
    const page = await openPanel(`/apps/${code}/keys`)
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'New key' }).first().click()
      await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill(name)
      await press(page, 'Create')
      const key = await dialogOf(page).getByRole('status').locator('code').innerText()
      await press(page, 'Close')
      return key
    }
    const old = await create('Old')
    const replacement = await create('New')
    assert.notEqual(old, replacement)
    await page.getByRole('row').filter({ hasText: 'Old' }).getByRole('button').click()
    await confirm(page, 'Revoke')
    await page.getByRole('cell', { name: 'Old' }).waitFor({ state: 'hidden' })
    const keys = await ApplicationKey.query().where({ applicationId })
    assert.deepEqual(
      keys.map(({ name }) => name),
      ['New']
    )
    assert.notInclude(await page.content(), replacement)
  })

  test('are deleted with everything they have, after typing the code', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    await manage.role({ code: 'clerk' })
    await manage.permission({ code: 'sign' })
    const page = await openPanel(`/apps/${code}/settings`)
    await page.getByRole('button', { name: 'Delete application' }).click()
    const confirmation = confirmationOf(page)
    await confirmation.getByText('clerk').waitFor()
    await confirmation.getByText('sign', { exact: true }).waitFor()
    assert.isTrue(await confirmation.getByRole('button', { name: 'Delete' }).isDisabled())
    await confirm(page, 'Delete', code)
    await whenShown(page, 'Applications')
    assert.isNull(await Application.findBy({ code }))
  })
})

test.group('Resource types in the panel', (group) => {
  const catalog = new TestHttpServer((_, response) => sendJson(response, []))
  group.setup(async () => {
    await catalog.start()
    return () => catalog.stop()
  })

  test('are created, and their endpoint is tested', async ({ client, assert }) => {
    const { id: applicationId, code } = await anApplication()
    await manageApplication(client, code).instance({ baseUrl: catalog.url })
    catalog.handler = (_, response) => sendJson(response, [{ id: 'o-1', name: 'First order' }])
    const page = await openPanel(`/apps/${code}/entities`)
    await page.getByRole('button', { name: 'New resource type' }).first().click()
    const sheet = dialogOf(page)
    await sheet.getByRole('textbox', { name: 'Name' }).fill('Order')
    await sheet.getByRole('textbox', { name: 'Code' }).fill('order')
    await sheet.getByRole('textbox', { name: 'List endpoint' }).fill(`${catalog.url}/orders`)
    await press(page, 'Create')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await dialogOf(page).getByRole('status').filter({ hasText: '1 resource' }).waitFor()
    await dialogOf(page).getByRole('cell', { name: 'First order' }).waitFor()

    catalog.handler = (_, response) => sendJson(response, {}, 500)
    expectProblem(page, /status of 502/)
    await press(page, 'Try again')
    await dialogOf(page).getByRole('alert').filter({ hasText: 'refused the request' }).waitFor()
    await press(page, 'Close')

    await page.getByRole('button', { name: 'Delete' }).click()
    await confirm(page, 'Delete')
    await page.getByText('There are no resource types').waitFor()
    assert.isNull(await Entity.findBy({ applicationId }))
  })
})
